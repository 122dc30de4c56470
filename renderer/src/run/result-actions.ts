import { Ban, Check, Download, Waypoints } from '@lucide/vue'
import { computed, type Ref } from 'vue'
import type { Router } from 'vue-router'
import type { Run } from '../../../electron/contract/run.ts'
import type { MenuItem } from '../base/MenuItems.vue'
import { MOST_CHOSEN } from '../base/row-selection.ts'
import { toCsv } from '../charts/chart.ts'
import { fileStem, saveFile } from '../charts/save-file.ts'
import { runWithList } from '../new-run/run-with-list.ts'
import { explorePath } from '../paths.ts'
import { exactly } from '../quantity.ts'
import { useToasts } from '../stores/toasts.ts'
import { words } from '../words/words.ts'
import type { ResultColumn } from './result-columns.ts'
import type { ResultRow, useResultRows } from './result-rows.ts'
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
  readonly table: ReturnType<typeof useResultRows>
  /** The places of rows that are chosen. */
  readonly selected: Ref<ReadonlySet<string>>
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

export function useResultActions({ of, where, table, selected, columns, router }: Given) {
  const toasts = useToasts()
  const isSet = computed(() => (of().run?.record?.outcome.result.kind ?? 'independent-set') === 'independent-set')

  const rows: Rows = () => {
    const { value: chosen } = selected
    return chosen.size > 0 ? table.rowsAt([...chosen].map(Number)) : table.firstRows(MOST_CHOSEN)
  }

  async function copy(): Promise<void> {
    const copied = await rows()
    const lines = copied.map(({ label, mate }) => (mate === null ? label : `${label}\t${mate.label}`))
    const isAll = selected.value.size > 0 || copied.length === table.rows.value.count
    await toasts.copy(`${lines.join('\n')}\n`, (isAll ? text.copied : text.copiedFirst)(exactly(copied.length)))
  }

  async function save(): Promise<void> {
    const saved = await rows()
    const { dataset, run } = of()
    const stem = fileStem(run === null ? dataset : `${dataset} ${runTitle(run)}`)
    saveFile(`${stem}.csv`, csvOf(saved, columns()), 'text/csv')
    if (selected.value.size === 0 && saved.length < table.rows.value.count)
      toasts.show(text.savedFirst(exactly(saved.length)))
  }

  function goTo(some: readonly ResultRow[]): void {
    const { dataset, run } = of()
    const path = explorePath(dataset)
    if (some.length > 0) void router.push({ path, query: { run: run?.id, vertex: [...labelsOf(some)] } })
  }

  const drawn = async (): Promise<void> => goTo((await rows()).slice(0, MOST_EXPLORED))
  const attempt: Attempt = (act) => () => void toasts.attempt(act)
  const menu = computed((): readonly MenuItem[] => {
    const { size } = selected.value
    const label = size > 0 ? text.saveChosen(exactly(size)) : text.saveAll
    const disabled = size === 0
    return [
      { label, icon: Download, disabled: table.rows.value.count === 0, act: attempt(save) },
      { label: text.exploreChosen, icon: Waypoints, disabled, act: attempt(drawn) },
      ...(isSet.value ? listItems({ of, where, router }, rows, disabled, attempt) : []),
    ]
  })

  return { copy, explore: (row: ResultRow) => goTo([row]), menu }
}
