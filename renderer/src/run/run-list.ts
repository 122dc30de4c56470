import { computed, ref } from 'vue'
import { isFinal, shareOfBound, type Run, type RunState } from '../../../electron/contract/run.ts'
import { figureColumn, textColumn, type Column } from '../base/column.ts'
import { holdsWords } from '../base/names.ts'
import { ownTime, tookMs } from '../compare/run-groups.ts'
import { atLeastPercent, exactly, moment, percent, seconds } from '../quantity.ts'
import { runs, words } from '../words/words.ts'
import { devicesOf, deviceWords, runKind, runLabel, runTitle, verdictWords } from './run-title.ts'

const resultOf = ({ record }: Run) => record?.outcome.result
const verdictOf = ({ record }: Run) => record?.outcome.verification ?? null

function boundOf(run: Run): number | null {
  const verdict = verdictOf(run)
  return verdict === null ? null : shareOfBound(verdict)
}

const column = (
  key: keyof typeof runs & string,
  width: number,
  text: Column<Run>['text'],
  more: Partial<Column<Run>> = {},
): Column<Run> => textColumn(key, String(runs[key]), width, text, more)

const figure = (
  key: keyof typeof runs & string,
  width: number,
  of: (run: Run) => number | null,
  text: (value: number) => string,
  more: Partial<Column<Run>> = {},
): Column<Run> => figureColumn(key, String(runs[key]), width, of, text, more)

const allDevices = (run: Run): string => devicesOf(run).join(', ')

const subjectColumns: readonly Column<Run>[] = [
  column('starred', 40, ({ starred }) => (starred ? '★' : ''), {
    exact: () => undefined,
    order: ({ starred }) => (starred ? 0 : 1),
  }),
  column('run', 134, runLabel, { grow: true, always: true }),
  column('state', 100, ({ state }) => words.states[state], { order: ({ state }) => state }),
  column('dataset', 102, ({ dataset }) => dataset, { grow: true }),
  column('algorithm', 88, ({ algorithm }) => algorithm, { exact: runKind, order: runKind }),
  column('device', 106, (run) => deviceWords(devicesOf(run)), { exact: allDevices, order: allDevices }),
]

const createdOrder = { exact: ({ createdAt }: Run) => createdAt, order: ({ createdAt }: Run) => createdAt }

/** Vertices of a set and pairs of a matching are not told in one number. */
const figureColumns: readonly Column<Run>[] = [
  figure('members', 100, (run) => (resultOf(run)?.kind === 'independent-set' ? run.size : null), exactly),
  figure('pairs', 100, (run) => (resultOf(run)?.kind === 'matching' ? run.size : null), exactly),
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
  figure('bound', 84, boundOf, atLeastPercent, { exact: (run) => verdictWords(run).text || undefined }),
  figure('time', 74, (run) => (run.state === 'done' ? tookMs(run) : null), seconds),
  figure('compute', 88, ({ record }) => (record === null ? null : (ownTime({ record })?.computeMs ?? null)), seconds, {
    optional: true,
  }),
]

export function runColumns(places: () => ReadonlyMap<string, number>): readonly Column<Run>[] {
  const placeOf = (run: Run): number | null => places().get(run.id) ?? null
  return [
    ...subjectColumns,
    ...figureColumns,
    column(
      'queue',
      120,
      (run) => {
        const place = placeOf(run)
        return place === null ? '' : runs.place(place, run.queue.priority)
      },
      { optional: places().size === 0, order: placeOf },
    ),
    column('note', 160, ({ note }) => note, { optional: true, order: ({ note }) => note || null }),
    column('created', 140, ({ createdAt }) => moment(createdAt), createdOrder),
  ]
}

export const stateGroups = ['starred', 'waiting', 'active', 'done', 'ended'] as const
type StateGroup = (typeof stateGroups)[number]

function isOf(group: StateGroup, { state, starred }: Run): boolean {
  return group === 'starred' ? starred : groupOf(state) === group
}

function groupOf(state: RunState): StateGroup {
  if (state === 'queued') return 'waiting'
  if (state === 'done') return 'done'
  return isFinal(state) ? 'ended' : 'active'
}

export function useRunFilter(all: () => readonly Run[], search: string) {
  const text = ref(search)
  const group = ref<'' | StateGroup>('')
  const algorithm = ref('')
  const said = ({ id, dataset, request, queue, note }: Run): string =>
    `${id} ${dataset} ${note} ${request.device} ${queue.devices?.join(' ') ?? ''}`
  const found = computed(() =>
    all().filter(
      (run) =>
        (group.value === '' || isOf(group.value, run)) &&
        (algorithm.value === '' || run.algorithm === algorithm.value) &&
        (text.value === '' || holdsWords(`${said(run)} ${runLabel(run)} ${runTitle(run)}`, text.value)),
    ),
  )
  return { text, group, algorithm, found }
}

/** The places of the runs that wait, from 1, as the queue takes them: the highest priority first, then the oldest. */
export function queuePlaces(all: readonly Run[]): ReadonlyMap<string, number> {
  const waiting = all
    .filter(({ state }) => state === 'queued')
    .toSorted((a, b) => b.queue.priority - a.queue.priority || (a.createdAt < b.createdAt ? -1 : 1))
  return new Map(waiting.map(({ id }, at) => [id, at + 1]))
}
