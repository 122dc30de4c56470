import { computed, ref } from 'vue'
import { isFinal, shareOfBound, type Run, type RunState } from '../../../electron/contract/run.ts'
import { column, type Column } from '../base/column.ts'
import { holdsWords } from '../base/names.ts'
import { duration, exactly, moment, percent } from '../quantity.ts'
import { runs, words } from '../words/words.ts'
import { ownTime, waitedMs } from './run-times.ts'
import {
  bestOrAtLeast,
  devicesOf,
  deviceWords,
  runKind,
  runLabel,
  runTitle,
  sizeWords,
  verdictWords,
} from './run-title.ts'

const resultOf = ({ record }: Run) => record?.outcome.result
const verdictOf = ({ record }: Run) => record?.outcome.verification ?? null

function boundOf(run: Run): number | null {
  const verdict = verdictOf(run)
  return verdict === null ? null : shareOfBound(verdict)
}

const ofRuns = (
  key: keyof typeof runs & string,
  width: number,
  cell: Column<Run>['cell'],
  more: Parameters<typeof column<Run>>[4] = {},
): Column<Run> => column(key, String(runs[key]), width, cell, more)

const allDevices = (run: Run): string => devicesOf(run).join(', ')

/** What all runs share takes no room from their names, and neither does what none has. */
const subjectColumns = (all: readonly Run[]): readonly Column<Run>[] => [
  ofRuns('starred', 40, ({ starred }) => (starred ? 0 : 1), {
    text: ({ starred }) => (starred ? '★' : ''),
  }),
  ofRuns('run', 176, runLabel, { grow: true, always: true }),
  ofRuns('state', 100, ({ state }) => state, { text: ({ state }) => words.states[state], fixed: true }),
  ofRuns('dataset', 100, ({ dataset }) => dataset, { grow: true }),
  ofRuns('algorithm', 84, runKind, { text: ({ algorithm }) => algorithm, exact: runKind, optional: true }),
  ofRuns('device', 106, allDevices, {
    text: (run) => deviceWords(devicesOf(run)),
    exact: allDevices,
    optional: new Set(all.map(allDevices)).size < 2,
  }),
]

const membersOf = (run: Run): number | null => (resultOf(run)?.kind === 'independent-set' ? run.size : null)
const pairsOf = (run: Run): number | null => (/matching$/.test(resultOf(run)?.kind ?? '') ? run.size : null)
const computeOf = ({ record }: Run): number | null =>
  record === null ? null : (ownTime({ record })?.computeMs ?? null)

function fractionOf(run: Run): number | null {
  const result = resultOf(run)
  return result?.kind === 'independent-set' ? result.fraction : null
}

/** A number where all results are of one kind, else with its words: vertices of a set and pairs of a matching are not told in one number. */
function sizeColumn(all: readonly Run[]): Column<Run> {
  const areAll = (of: (run: Run) => number | null): boolean => all.every((run) => run.size === null || of(run) !== null)
  if (areAll(membersOf)) return ofRuns('members', 100, membersOf, { figure: exactly })
  if (areAll(pairsOf)) return ofRuns('pairs', 100, pairsOf, { figure: exactly })
  return ofRuns('result', 160, ({ size }) => size, { text: sizeWords, exact: sizeWords, align: 'end', downFirst: true })
}

const figureColumns: readonly Column<Run>[] = [
  ofRuns('share', 76, fractionOf, { figure: percent, optional: true }),
  ofRuns('bound', 112, boundOf, { figure: bestOrAtLeast, exact: (run) => verdictWords(run).text || undefined }),
  ofRuns('time', 100, (run) => (run.state === 'done' ? waitedMs(run) : null), { figure: duration }),
  ofRuns('compute', 92, computeOf, { figure: duration, optional: true }),
]

export function runColumns(all: readonly Run[], places: () => ReadonlyMap<string, number>): readonly Column<Run>[] {
  const placeWords = (run: Run): string => {
    const place = places().get(run.id)
    return place === undefined ? '' : runs.place(place, run.queue.priority)
  }
  return [
    ...subjectColumns(all),
    sizeColumn(all),
    ...figureColumns,
    ofRuns('queue', 120, ({ id }) => places().get(id) ?? null, { text: placeWords, optional: places().size === 0 }),
    ofRuns('note', 160, ({ note }) => note || null, { optional: true }),
    ofRuns('created', 148, ({ createdAt }) => createdAt, {
      text: ({ createdAt }) => moment(createdAt),
      exact: ({ createdAt }) => createdAt,
      fixed: true,
    }),
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
