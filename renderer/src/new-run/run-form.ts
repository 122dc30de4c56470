import { computed, reactive, watch } from 'vue'
import type { LocationQuery } from 'vue-router'
import type { CallArgs } from '../../../electron/contract/calls.ts'
import type { Dataset } from '../../../electron/contract/dataset.ts'
import { DEFAULT_QUEUE_PRIORITY, runRequestSchema, type Run, type RunRequest } from '../../../electron/contract/run.ts'
import type { Settings } from '../../../electron/contract/settings.ts'
import type { Fix } from '../failure-words.ts'
import { useAlgorithms, type AlgorithmEntry } from '../stores/algorithms.ts'
import { useDatasets } from '../stores/datasets.ts'
import { useRuns } from '../stores/runs.ts'
import { useSettings } from '../stores/settings.ts'
import { noSweep, sweepFaults, sweepOf, type SweepTexts, type Variant } from './sweep.ts'
import type { Template } from './TemplateMenu.vue'

export type OptionEntry = AlgorithmEntry['options'][number]
export type OptionValue = string | number | boolean | null
export type OptionValues = Readonly<Record<string, OptionValue>>
type RunOrder = CallArgs<'runs.start'>

export interface RunForm extends SweepTexts {
  datasets: readonly string[]
  algorithm: string
  devices: readonly string[]
  options: OptionValues
  name: string
  queuePriority: number
  retries: number
  repeats: number
  /** Name of an option of which every choice gets a run; empty: none. */
  vary: string
}

/** What an algorithm's options are before anybody changes them: the registry's defaults, under the person's settings. */
export function defaultOptions(entry: AlgorithmEntry | undefined, settings: Settings): OptionValues {
  const values = Object.fromEntries(
    (entry?.options ?? []).map(({ name, default: standard }) => [name, standard ?? null]),
  )
  return {
    ...values,
    ...('verify' in values ? { verify: settings.verifyByDefault } : {}),
    ...('memoryBytes' in values ? { memoryBytes: settings.defaultMemoryBytes } : {}),
  }
}

export function emptyForm(settings: Settings): RunForm {
  const { defaultDevices } = settings
  return {
    datasets: [],
    algorithm: '',
    devices: defaultDevices === 'auto' ? [] : defaultDevices.split(','),
    options: {},
    name: '',
    queuePriority: DEFAULT_QUEUE_PRIORITY,
    retries: 0,
    repeats: 1,
    vary: '',
    ...noSweep,
  }
}

export function fixIn(form: RunForm, entry: AlgorithmEntry | undefined, fix: Fix): (() => void) | undefined {
  if (!('to' in fix) || fix.to === undefined) return undefined
  const { option, to } = fix
  if (option === 'device') return () => (form.devices = [String(to)])
  if (entry?.options.some(({ name }) => name === option) !== true) return undefined
  return () => (form.options = { ...form.options, [option]: to })
}

export function formOfRun(run: Run, entry: AlgorithmEntry | undefined, settings: Settings): RunForm {
  const asked: Readonly<Record<string, unknown>> = run.request
  const own = (entry?.options ?? []).map(
    ({ name }) => [name, (asked[name] as OptionValue | undefined) ?? null] as const,
  )
  return {
    ...emptyForm(settings),
    datasets: [run.dataset],
    algorithm: run.request.algorithm,
    devices: run.request.device === 'auto' ? [] : run.request.device.split(','),
    options: Object.fromEntries(own),
    name: run.name ?? '',
    queuePriority: run.queue.priority,
    retries: run.queue.retries,
  }
}

export function shownOptions(entry: AlgorithmEntry, values: OptionValues): readonly OptionEntry[] {
  return entry.options.filter(({ when }) => when === undefined || when.values.includes(String(values[when.option])))
}

/** The choices of which each can have a run of its own: those that need nothing else to be filled in. */
export function variableChoices(entry: AlgorithmEntry, option: string): readonly string[] {
  const needy = entry.options.flatMap(({ kind, when }) =>
    kind === 'file' && when?.option === option ? when.values : [],
  )
  const choices = entry.options.find(({ name }) => name === option)?.choices ?? []
  return choices.map(({ value }) => value).filter((value) => !needy.includes(value))
}

/** A file that an option's own choice asks for and that is not there yet, nor what stands in its place. */
export function missingFile(entry: AlgorithmEntry, values: OptionValues): OptionEntry | undefined {
  const shown = shownOptions(entry, values)
  const isGiven = (of: string): boolean =>
    shown.some(({ name, when }) => when?.option === of && (values[name] ?? '') !== '')
  return shown.find(({ kind, when }) => kind === 'file' && when !== undefined && !isGiven(when.option))
}

function saidOptions(entry: AlgorithmEntry, values: OptionValues): Readonly<Record<string, string | number | boolean>> {
  return Object.fromEntries(
    shownOptions(entry, values).flatMap(({ name }) => {
      const value = values[name] ?? null
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
}

/** null where something does not fit; the fields say what. */
export function requestOf(
  form: RunForm,
  entry: AlgorithmEntry,
  dataset: string,
  values: OptionValues,
): RunRequest | null {
  const read = runRequestSchema.safeParse({
    ...saidOptions(entry, values),
    dataset,
    algorithm: entry.name,
    device: deviceList(form),
  })
  return read.success ? read.data : null
}

export const deviceList = ({ devices }: RunForm): string => (devices.length === 0 ? 'auto' : devices.join(','))

/** What the form asks of each dataset, one after the other. `entries`: of which a sweep may name others than `entry`. */
export function variants(form: RunForm, entry: AlgorithmEntry, entries: readonly AlgorithmEntry[]): readonly Variant[] {
  const choices = form.vary === '' ? [] : variableChoices(entry, form.vary)
  const varied =
    choices.length === 0 ? [form.options] : choices.map((value) => ({ ...form.options, [form.vary]: value }))
  const first = varied.map((values) => ({ entry, values }))
  return sweepOf(form, first, entries)
}

export function ordersOf(
  form: RunForm,
  entry: AlgorithmEntry,
  entries: readonly AlgorithmEntry[],
): readonly RunOrder[] {
  if (Number.isNaN(form.repeats) || Number.isNaN(form.retries)) return []
  if (Object.keys(sweepFaults(form, entry, entries)).length > 0) return []
  const requests = form.datasets.flatMap((dataset) =>
    variants(form, entry, entries).flatMap((one) => {
      const request = requestOf(form, one.entry, dataset, one.values)
      return request === null ? [] : Array.from({ length: form.repeats }, () => request)
    }),
  )
  return requests.map((request, index) => ({
    request,
    priority: form.queuePriority,
    retries: form.retries,
    ...(form.name === '' ? {} : { name: requests.length === 1 ? form.name : `${form.name} ${index + 1}` }),
  }))
}

/** The same run for a terminal; options that are as they would be anyway are left out. */
export function commandLine(form: RunForm, entry: AlgorithmEntry, dataset: string, values: OptionValues): string {
  const devices = deviceList(form)
  const words = [
    ...['anticlique', 'run', quoted(dataset), '--algorithm', entry.name],
    ...(devices === 'auto' ? [] : ['--devices', devices]),
    ...shownOptions(entry, values).flatMap((option) => flagOf(option, values[option.name] ?? null)),
    ...(form.name === '' ? [] : ['--name', quoted(form.name)]),
  ]
  return words.join(' ')
}

function flagOf({ flag, kind, default: standard }: OptionEntry, value: OptionValue): readonly string[] {
  if (kind === 'switch') return value === true ? [flag] : []
  if (value === null || value === '' || value === standard || Number.isNaN(value)) return []
  return [flag, quoted(String(value))]
}

/** As a POSIX shell wants it. */
function quoted(text: string): string {
  return /^[\w./:,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

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

  /** Another algorithm keeps what the person chose of the options that both have; what nobody chose is as usual for it. */
  function choose(algorithm: string): void {
    const next = entryOf(algorithm)
    const standard = defaultOptions(next, settings)
    const before = defaultOptions(entry.value, settings)
    const kept = Object.entries(form.options).filter(([name, value]) => {
      const option = next?.options.find((one) => one.name === name)
      if (option === undefined || value === null || value === before[name]) return false
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
  // The first dataset may, too: a sample that is being made.
  watch(
    () => datasets.list.length,
    (_, before) => {
      if (before === 0 && form.datasets.length === 0) form.datasets = newestOf(datasets.list)
    },
  )
  watch(
    () => form.datasets,
    (now) => now.join('\n') === texts(query()['dataset']).join('\n') || keep(now),
  )

  const orders = computed(() => {
    if (entry.value === undefined || missingFile(entry.value, form.options) !== undefined) return []
    return ordersOf(form, entry.value, algorithms.list)
  })
  return { form, entry, orders, choose, use }
}
