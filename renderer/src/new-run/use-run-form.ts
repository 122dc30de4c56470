import { computed, reactive, watch } from 'vue'
import type { LocationQuery } from 'vue-router'
import type { Dataset } from '../../../electron/contract/dataset.ts'
import { useAlgorithms, type AlgorithmEntry } from '../stores/algorithms.ts'
import { useDatasets } from '../stores/datasets.ts'
import { useRuns } from '../stores/runs.ts'
import { useSettings } from '../stores/settings.ts'
import { defaultOptions, emptyForm, formOfRun, missingFile, ordersOf, type RunForm } from './run-form.ts'
import type { Template } from './TemplateMenu.vue'

const newestOf = (datasets: readonly Dataset[]): readonly string[] =>
  datasets
    .toSorted((a, b) => b.id - a.id)
    .slice(0, 1)
    .map(({ name }) => name)

const texts = (given: LocationQuery[string] | undefined): readonly string[] =>
  [given ?? []].flat().filter((text) => text !== null)

const listOptions = ['keepFile', 'excludeFile', 'keepWhere', 'excludeWhere'] as const
export const saysLists = (query: LocationQuery): boolean => listOptions.some((name) => texts(query[name]).length > 0)

const listsOf = (query: LocationQuery, entry: AlgorithmEntry | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listOptions.flatMap((name) => {
      const [given] = texts(query[name])
      return given === undefined || entry?.options.some((option) => option.name === name) !== true
        ? []
        : [[name, given]]
    }),
  )

/**
 * The form as the link wants it: datasets and an algorithm, or a run that is asked for once more. A link that names neither begins with the newest dataset;
 * `keep` takes the datasets that are chosen into the link.
 */
export function useRunForm(query: () => LocationQuery, keep: (datasets: readonly string[]) => void) {
  const algorithms = useAlgorithms()
  const datasets = useDatasets()
  const runs = useRuns()
  const { settings } = useSettings()
  const form = reactive<RunForm>(emptyForm(settings))
  const entryOf = (name: string): AlgorithmEntry | undefined => algorithms.byName.get(name)
  const entry = computed(() => entryOf(form.algorithm))

  /** Another algorithm keeps the values of the options that both have. */
  function choose(algorithm: string): void {
    const next = entryOf(algorithm)
    const standard = defaultOptions(next, settings)
    const kept = Object.entries(form.options).filter(([name, value]) => {
      const option = next?.options.find((one) => one.name === name)
      if (option === undefined || value === null) return false
      return option.choices === undefined || option.choices.some((choice) => choice.value === value)
    })
    form.algorithm = algorithm
    form.options = { ...standard, ...Object.fromEntries(kept) }
    form.vary = ''
  }

  function use({ algorithm, devices, options }: Template): void {
    form.algorithm = algorithm
    form.devices = [...devices]
    form.options = { ...defaultOptions(entryOf(algorithm), settings), ...options }
    form.vary = ''
  }

  let filled = ''
  function fill(): void {
    const { dataset, ...rest } = query()
    const { algorithm, again, ...lists } = rest
    const run = runs.byId.get(texts(again)[0] ?? '')
    const asked = JSON.stringify([rest, algorithms.list.length])
    const isFilled = asked === filled
    if (run !== undefined && !isFilled) Object.assign(form, formOfRun(run, entryOf(run.algorithm), settings))
    if (dataset !== undefined) form.datasets = texts(dataset)
    if (isFilled) return
    filled = asked
    if (form.datasets.length === 0) form.datasets = newestOf(datasets.list)
    const wanted = entryOf(texts(algorithm)[0] ?? form.algorithm) ?? algorithms.list[0]
    if (run === undefined && wanted !== undefined) choose(wanted.name)
    form.options = { ...form.options, ...listsOf(lists, entry.value) }
  }
  // The registry may come after the page.
  watch([query, () => algorithms.list], fill, { immediate: true })
  watch(
    () => form.datasets,
    (now) => now.join('\n') === texts(query()['dataset']).join('\n') || keep(now),
  )

  const orders = computed(() => {
    if (entry.value === undefined || missingFile(entry.value, form.options) !== undefined) return []
    return ordersOf(form, entry.value)
  })
  return { form, entry, orders, choose, use }
}
