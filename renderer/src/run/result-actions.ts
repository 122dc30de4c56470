import { Ban, Check, Download, Waypoints } from '@lucide/vue'
import { computed, type Ref } from 'vue'
import { useRouter } from 'vue-router'
import type { Run } from '../../../electron/contract/run.ts'
import type { MenuItem } from '../base/BaseMenu.vue'
import { tableOf } from '../base/column.ts'
import { MOST_CHOSEN } from '../base/row-selection.ts'
import { toCsv } from '../charts/chart.ts'
import { fileStem, saveFile } from '../charts/save-file.ts'
import { explorePath } from '../places.ts'
import { exactly } from '../quantity.ts'
import { useToasts } from '../stores/toasts.ts'
import { words } from '../words/words.ts'
import type { ResultColumn, ResultRow, useResultRows } from './result-table.ts'
import { useRunActions } from './run-actions.ts'
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
}

const labelsOf = (some: readonly ResultRow[]): readonly string[] => some.map(({ label }) => label)

type Lists = Omit<Parameters<ReturnType<typeof useRunActions>['withList']>[0], 'dataset' | 'again'>

/** To keep or exclude vertices in a new run: those that are chosen, or those of the condition. */
function listItems(
  where: string,
  chosen: () => Promise<readonly string[]>,
  disabled: boolean,
  again: (list: () => Promise<Lists>) => () => void,
): readonly MenuItem[] {
  const keep = again(async () => ({ keepFile: await chosen() }))
  const exclude = again(async () => ({ excludeFile: await chosen() }))
  return [
    { label: text.keep, icon: Check, line: true, disabled, act: keep },
    { label: text.exclude, icon: Ban, disabled, act: exclude },
    ...(where === ''
      ? []
      : [
          { label: text.keepWhere, icon: Check, act: again(async () => ({ keepWhere: where })) },
          { label: text.excludeWhere, icon: Ban, act: again(async () => ({ excludeWhere: where })) },
        ]),
  ]
}

export function useResultActions({ of, where, table, selected, columns }: Given) {
  const toasts = useToasts()
  const router = useRouter()
  const { withList } = useRunActions()
  const isSet = computed(() => (of().run?.record?.outcome.result.kind ?? 'independent-set') === 'independent-set')

  const rows = (): Promise<readonly ResultRow[]> => {
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
    saveFile(`${stem}.csv`, toCsv(tableOf(saved, columns())), 'text/csv')
    if (selected.value.size === 0 && saved.length < table.rows.value.count)
      toasts.show(text.savedFirst(exactly(saved.length)))
  }

  function goTo(some: readonly ResultRow[]): void {
    const { dataset, run } = of()
    const path = explorePath(dataset)
    if (some.length > 0) void router.push({ path, query: { run: run?.id, vertex: [...labelsOf(some)] } })
  }

  const drawn = async (): Promise<void> => goTo((await rows()).slice(0, MOST_EXPLORED))
  const attempt = (act: () => Promise<void>) => () => void toasts.attempt(act)

  const again = (list: () => Promise<Lists>) =>
    attempt(async () => withList({ dataset: of().dataset, again: of().run?.id, ...(await list()) }))

  const menu = computed((): readonly MenuItem[] => {
    const { size } = selected.value
    const label = size > 0 ? text.saveChosen(exactly(size)) : text.saveAll
    const disabled = size === 0
    return [
      { label, icon: Download, disabled: table.rows.value.count === 0, act: attempt(save) },
      { label: text.exploreChosen, icon: Waypoints, disabled, act: attempt(drawn) },
      ...(isSet.value ? listItems(where(), async () => labelsOf(await rows()), disabled, again) : []),
    ]
  })

  return { copy, explore: (row: ResultRow) => goTo([row]), menu }
}
