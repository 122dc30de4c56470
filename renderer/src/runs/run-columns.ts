import { shareOfBound } from '../../../electron/contract/verdict.ts'
import type { Run } from '../../../electron/contract/run.ts'
import type { Column } from '../base/column.ts'
import { ownTime } from '../compare/run-groups.ts'
import { atLeastPercent, exactly, moment, percent, seconds } from '../quantity.ts'
import { deviceWords, runKind, runLabel } from '../run/run-title.ts'
import { verdictWords } from '../run-words.ts'
import { words } from '../words/words.ts'

const { runs } = words

const devicesOf = ({ queue, request }: Run): readonly string[] => queue.devices ?? request.device.split(',')
const resultOf = ({ record }: Run) => record?.outcome.result
const verdictOf = ({ record }: Run) => record?.outcome.verification ?? null

/** From the beginning to the end, whatever was done in between; of a run that was resumed nobody counted the attempts before. */
function tookMs({ startedAt, finishedAt, state, record }: Run): number | null {
  if (state !== 'done' || startedAt === null || finishedAt === null || record?.outcome.resumed !== undefined)
    return null
  return Date.parse(finishedAt) - Date.parse(startedAt)
}

function boundOf(run: Run): number | null {
  const verdict = verdictOf(run)
  return verdict === null ? null : shareOfBound(verdict)
}

function figure(
  key: keyof typeof runs & string,
  width: number,
  of: (run: Run) => number | null,
  text: (value: number) => string,
  more: Partial<Column<Run>> = {},
): Column<Run> {
  const said = (run: Run): string => {
    const value = of(run)
    return value === null ? '' : text(value)
  }
  return { key, title: String(runs[key]), width, align: 'end', text: said, order: of, ...more }
}

const subjectColumns: readonly Column<Run>[] = [
  {
    key: 'starred',
    title: runs.starred,
    width: 44,
    text: ({ starred }) => (starred ? '★' : ''),
    exact: () => undefined,
    order: ({ starred }) => (starred ? 0 : 1),
  },
  {
    key: 'run',
    title: runs.run,
    width: 136,
    grow: true,
    always: true,
    text: runLabel,
    order: runLabel,
  },
  {
    key: 'state',
    title: runs.state,
    width: 104,
    text: ({ state }) => words.states[state],
    order: ({ state }) => state,
  },
  {
    key: 'dataset',
    title: runs.dataset,
    width: 104,
    grow: true,
    text: ({ dataset }) => dataset,
    order: ({ dataset }) => dataset,
  },
  {
    key: 'algorithm',
    title: runs.algorithm,
    width: 92,
    text: ({ algorithm }) => algorithm,
    exact: runKind,
    order: runKind,
  },
  {
    key: 'device',
    title: runs.device,
    width: 108,
    text: (run) => deviceWords(devicesOf(run)),
    exact: (run) => devicesOf(run).join(', '),
    order: (run) => devicesOf(run).join(', '),
  },
]

/** Vertices of a set and pairs of a matching are not told in one number. */
const figureColumns: readonly Column<Run>[] = [
  figure('members', 90, (run) => (resultOf(run)?.kind === 'independent-set' ? run.size : null), exactly),
  figure('pairs', 76, (run) => (resultOf(run)?.kind === 'matching' ? run.size : null), exactly),
  figure(
    'share',
    76,
    (run) => {
      const result = resultOf(run)
      return result?.kind === 'independent-set' ? result.fraction : null
    },
    percent,
    { optional: true },
  ),
  figure('bound', 88, boundOf, atLeastPercent, { exact: (run) => verdictWords(run).text || undefined }),
  figure('time', 76, tookMs, seconds),
  figure('compute', 88, ({ record }) => (record === null ? null : (ownTime({ record })?.computeMs ?? null)), seconds, {
    optional: true,
  }),
]

export function runColumns(places: () => ReadonlyMap<string, number>): readonly Column<Run>[] {
  const placeOf = (run: Run): number | null => places().get(run.id) ?? null
  return [
    ...subjectColumns,
    ...figureColumns,
    {
      key: 'queue',
      title: runs.queue,
      width: 120,
      optional: places().size === 0,
      text: (run) => {
        const place = placeOf(run)
        return place === null ? '' : runs.place(place, run.queue.priority)
      },
      order: placeOf,
    },
    {
      key: 'note',
      title: runs.note,
      width: 160,
      optional: true,
      text: ({ note }) => note,
      order: ({ note }) => note || null,
    },
    {
      key: 'created',
      title: runs.created,
      width: 150,
      text: ({ createdAt }) => moment(createdAt),
      exact: ({ createdAt }) => createdAt,
      order: ({ createdAt }) => createdAt,
    },
  ]
}
