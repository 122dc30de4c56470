import { Ban, Check, Download, Waypoints } from '@lucide/vue'
import { computed } from 'vue'
import type { Router } from 'vue-router'
import type { Run } from '../../../electron/contract/run.ts'
import type { MenuItem } from '../base/menu-item.ts'
import { MOST_CHOSEN, type RowSelection } from '../base/row-selection.ts'
import { toCsv } from '../charts/chart.ts'
import { fileStem, saveFile } from '../charts/save-file.ts'
import { runWithList } from '../new-run/run-with-list.ts'
import { exactly } from '../quantity.ts'
import { useToasts } from '../stores/toasts.ts'
import { words } from '../words/words.ts'
import type { ResultColumn } from './result-columns.ts'
import type { ResultRow, ResultRowsInSight } from './result-rows.ts'
import { runTitle } from './run-title.ts'

const text = words.run.table
const MOST_EXPLORED = 50

export interface RowsOf {
  readonly dataset: string
  /** null: all vertices of the dataset. */
  readonly run: Run | null
}

interface Given {
  readonly of: () => RowsOf
  readonly where: () => string
  readonly table: ResultRowsInSight
  readonly selection: RowSelection
  readonly columns: () => readonly ResultColumn[]
  readonly router: Router
}

const csvOf = (rows: readonly ResultRow[], columns: readonly ResultColumn[]): string =>
  toCsv({
    columns: columns.map(({ title }) => title),
    rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
  })

type Rows = () => Promise<readonly ResultRow[]>
type Attempt = (act: () => Promise<void>) => () => void
const labelsOf = (some: readonly ResultRow[]): readonly string[] => some.map(({ label }) => label)

/** To keep or exclude vertices in a new run: those that are chosen, or those of the condition. */
function listItems(
  { of, where, router }: Pick<Given, 'of' | 'where' | 'router'>,
  rows: Rows,
  disabled: boolean,
  attempt: Attempt,
): readonly MenuItem[] {
  const again = (list: Omit<Parameters<typeof runWithList>[1], 'dataset' | 'again'>): Promise<void> =>
    runWithList(router, { dataset: of().dataset, again: of().run?.id, ...list })
  const chosen = async (): Promise<readonly string[]> => labelsOf(await rows())
  const keep = async (): Promise<void> => again({ keepFile: await chosen() })
  const exclude = async (): Promise<void> => again({ excludeFile: await chosen() })
  return [
    { label: text.keep, icon: Check, line: true, disabled, act: attempt(keep) },
    { label: text.exclude, icon: Ban, disabled, act: attempt(exclude) },
    ...(where() === ''
      ? []
      : [
          { label: text.keepWhere, icon: Check, act: attempt(() => again({ keepWhere: where() })) },
          { label: text.excludeWhere, icon: Ban, act: attempt(() => again({ excludeWhere: where() })) },
        ]),
  ]
}

export function useResultActions({ of, where, table, selection, columns, router }: Given) {
  const toasts = useToasts()
  const isSet = computed(() => (of().run?.record?.outcome.result.kind ?? 'independent-set') === 'independent-set')

  const rows: Rows = () => {
    const { value: chosen } = selection.chosen
    return chosen.size > 0 ? table.rowsAt([...chosen]) : table.firstRows(MOST_CHOSEN)
  }

  async function copy(): Promise<void> {
    const copied = await rows()
    const lines = copied.map(({ label, mate }) => (mate === null ? label : `${label}\t${mate.label}`))
    await navigator.clipboard.writeText(`${lines.join('\n')}\n`)
    const isAll = selection.chosen.value.size > 0 || copied.length === table.total.value
    toasts.show((isAll ? text.copied : text.copiedFirst)(exactly(copied.length)))
  }

  async function save(): Promise<void> {
    const saved = await rows()
    const { dataset, run } = of()
    saveFile(
      `${fileStem(run === null ? dataset : `${dataset} ${runTitle(run)}`)}.csv`,
      csvOf(saved, columns()),
      'text/csv',
    )
    if (selection.chosen.value.size === 0 && saved.length < table.total.value)
      toasts.show(text.savedFirst(exactly(saved.length)))
  }

  function goTo(some: readonly ResultRow[]): void {
    const { dataset, run } = of()
    const path = `/explore/${encodeURIComponent(dataset)}`
    if (some.length > 0) void router.push({ path, query: { run: run?.id, vertex: [...labelsOf(some)] } })
  }

  function explore(index: number): void {
    const row = table.rowAt(index)
    if (row !== undefined) goTo([row])
  }

  const drawn = async (): Promise<void> => goTo((await rows()).slice(0, MOST_EXPLORED))
  const attempt: Attempt = (act) => () => void toasts.attempt(act)
  const menu = computed((): readonly MenuItem[] => {
    const { size } = selection.chosen.value
    const label = size > 0 ? text.saveChosen(exactly(size)) : text.saveAll
    const disabled = size === 0
    return [
      { label, icon: Download, disabled: table.total.value === 0, act: attempt(save) },
      { label: text.exploreChosen, icon: Waypoints, disabled, act: attempt(drawn) },
      ...(isSet.value ? listItems({ of, where, router }, rows, disabled, attempt) : []),
    ]
  })

  return { copy, explore, menu }
}
