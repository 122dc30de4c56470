import type { Run } from '../../../electron/contract/run.ts'
import type { Column } from '../base/column.ts'
import { ownTime } from '../compare/measures.ts'
import { duration, exactly, moment, percent, quantity } from '../quantity.ts'
import { deviceWords, runLabel } from '../run/run-title.ts'
import { verdictWords } from '../run-words.ts'
import { words } from '../words/words.ts'

const { runs } = words

/** `auto` until it is resolved. */
const devicesOf = ({ queue, request }: Run): readonly string[] => queue.devices ?? request.device.split(',')

function shareOf({ record }: Run): number | null {
  const result = record?.outcome.result
  return result?.kind === 'independent-set' ? result.fraction : null
}

/** Of computing, exchange included; the whole run with its preparation on hover. */
const timeOf = ({ record }: Run) => (record === null ? null : ownTime({ record }))
const computeMs = (run: Run): number | null => timeOf(run)?.computeMs ?? null

const subjectColumns: readonly Column<Run>[] = [
  {
    key: 'state',
    title: runs.state,
    width: 136,
    text: ({ state }) => words.states[state],
    order: ({ state }) => state,
  },
  { key: 'run', title: runs.run, width: 158, grow: true, text: runLabel, order: runLabel },
  {
    key: 'dataset',
    title: runs.dataset,
    width: 150,
    grow: true,
    text: ({ dataset }) => dataset,
    order: ({ dataset }) => dataset,
  },
  {
    key: 'device',
    title: runs.device,
    width: 112,
    text: (run) => deviceWords(devicesOf(run)),
    exact: (run) => devicesOf(run).join(', '),
    order: (run) => devicesOf(run).join(', '),
  },
]

const figureColumns: readonly Column<Run>[] = [
  {
    key: 'size',
    title: runs.size,
    width: 84,
    align: 'end',
    text: ({ size }) => (size === null ? '' : quantity(size)),
    exact: ({ size }) => (size === null ? undefined : exactly(size)),
    order: ({ size }) => size,
  },
  {
    key: 'share',
    title: runs.share,
    width: 84,
    align: 'end',
    text: (run) => {
      const share = shareOf(run)
      return share === null ? '' : percent(share)
    },
    exact: (run) => verdictWords(run).text || undefined,
    order: shareOf,
  },
  {
    key: 'time',
    title: runs.time,
    width: 88,
    align: 'end',
    text: (run) => {
      const ms = computeMs(run)
      return ms === null ? '' : duration(ms)
    },
    exact: (run) => {
      const time = timeOf(run)
      return time === null ? undefined : `${time.totalMs} ms`
    },
    order: computeMs,
  },
]

/** `places`: of the runs that wait. */
export function runColumns(places: () => ReadonlyMap<string, number>): readonly Column<Run>[] {
  const placeOf = (run: Run): number | null => places().get(run.id) ?? null
  return [
    ...subjectColumns,
    ...figureColumns,
    {
      key: 'queue',
      title: runs.queue,
      width: 120,
      text: (run) => {
        const place = placeOf(run)
        return place === null ? '' : runs.place(place, run.queue.priority)
      },
      order: placeOf,
    },
    {
      key: 'created',
      title: runs.created,
      width: 148,
      text: ({ createdAt }) => moment(createdAt),
      exact: ({ createdAt }) => createdAt,
      order: ({ createdAt }) => createdAt,
    },
  ]
}
