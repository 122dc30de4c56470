import { Ban, Check, Download, Waypoints } from '@lucide/vue'
import { computed } from 'vue'
import type { Router } from 'vue-router'
import type { Run } from '../../../electron/contract/run.ts'
import type { MenuItem } from '../base/menu-item.ts'
import { MOST_CHOSEN } from '../base/row-selection.ts'
import type { RowSelection } from '../base/row-selection.ts'
import { toCsv } from '../charts/number-table.ts'
import { fileStem, saveFile } from '../charts/save-file.ts'
import { runWithList } from '../new-run/run-with-list.ts'
import { exactly } from '../quantity.ts'
import { useToasts } from '../stores/toasts.ts'
import { words } from '../words/words.ts'
import type { ResultColumn } from './result-columns.ts'
import type { ResultRow, ResultRowsInSight } from './result-rows.ts'
import { runTitle } from './run-title.ts'

const text = words.run.table
/** So many vertices are drawn around. */
const MOST_EXPLORED = 50

interface Given {
  readonly run: () => Run
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

/** What can be done with rows of a result: those that are chosen, or all of the table where none is. */
export function useResultActions({ run, table, selection, columns, router }: Given) {
  const toasts = useToasts()
  const isSet = computed(() => run().record?.outcome.result.kind === 'independent-set')

  const rows = (): Promise<readonly ResultRow[]> => {
    const { value: chosen } = selection.chosen
    return chosen.size > 0 ? table.rowsAt([...chosen]) : table.firstRows(MOST_CHOSEN)
  }
  const labelsOf = (some: readonly ResultRow[]): readonly string[] => some.map(({ label }) => label)

  async function copy(): Promise<void> {
    const copied = await rows()
    const lines = copied.map(({ label, mate }) => (mate === null ? label : `${label}\t${mate.label}`))
    await navigator.clipboard.writeText(`${lines.join('\n')}\n`)
    const isAll = selection.chosen.value.size > 0 || copied.length === table.total.value
    toasts.show((isAll ? text.copied : text.copiedFirst)(exactly(copied.length)))
  }

  async function save(): Promise<void> {
    const saved = await rows()
    saveFile(`${fileStem(`${run().dataset} ${runTitle(run())}`)}.csv`, csvOf(saved, columns()), 'text/csv')
    if (selection.chosen.value.size === 0 && saved.length < table.total.value)
      toasts.show(text.savedFirst(exactly(saved.length)))
  }

  function goTo(some: readonly ResultRow[]): void {
    const path = `/explore/${encodeURIComponent(run().dataset)}`
    if (some.length > 0) void router.push({ path, query: { run: run().id, vertex: [...labelsOf(some)] } })
  }

  function explore(index: number): void {
    const row = table.rowAt(index)
    if (row !== undefined) goTo([row])
  }

  async function again(list: 'keepFile' | 'excludeFile'): Promise<void> {
    await runWithList(router, { dataset: run().dataset, again: run().id, [list]: labelsOf(await rows()) })
  }

  const drawn = async (): Promise<void> => goTo((await rows()).slice(0, MOST_EXPLORED))
  const attempt = (act: () => Promise<void>) => (): void => void toasts.attempt(act)
  const menu = computed((): readonly MenuItem[] => {
    const { size } = selection.chosen.value
    const label = size > 0 ? text.saveChosen(exactly(size)) : text.saveAll
    const disabled = size === 0
    const lists: readonly MenuItem[] = [
      { label: text.keep, icon: Check, line: true, disabled, act: attempt(() => again('keepFile')) },
      { label: text.exclude, icon: Ban, disabled, act: attempt(() => again('excludeFile')) },
    ]
    return [
      { label, icon: Download, disabled: table.total.value === 0, act: attempt(save) },
      { label: text.exploreChosen, icon: Waypoints, disabled, act: attempt(drawn) },
      ...(isSet.value ? lists : []),
    ]
  })

  return { copy, explore, menu }
}
