import { computed, reactive, ref, shallowRef, watch, type Ref } from 'vue'
import type { CallArgs, CallResult } from '../../../electron/contract/calls.ts'
import {
  canBePart,
  datasetNameSchema,
  importOptions,
  tableOptions,
  withoutEndings,
} from '../../../electron/contract/dataset.ts'
import { useLatest } from '../base/latest.ts'
import { ask, failureOf, type FailureValue } from '../bridge.ts'
import { useDatasets } from '../stores/datasets.ts'
import { importing as text, words } from '../words/words.ts'

type ImportArgs = CallArgs<'datasets.import'>
type PreviewArgs = CallArgs<'datasets.preview'>

export const formats = importOptions.format.unwrap().options
export const weightRuleNames = importOptions.weightRule.unwrap().options
export const mergeNames = importOptions.merge.unwrap().options
/** Those that people meet; any other character can be written on the command line. */
export const delimiterNames = ['auto', 'comma', 'semicolon', 'tab', 'space', 'pipe'] as const
export type ColumnRole = 'source' | 'target' | 'weight' | 'attribute'

/** What several files are: a graph each, or one of all; null where it was not said yet. */
export type Together = 'many' | 'one'

type Choice<Names extends readonly string[], Other extends string = never> = Names[number] | Other

/** What a person has filled in; `auto` and empty texts leave the choice to the import. */
const emptyImport = () => ({
  source: '',
  more: [] as readonly string[],
  together: null as Together | null,
  /** The graphs of an archive, or of a file of several, that become datasets. */
  members: [] as readonly string[],
  name: '',
  format: 'auto' as Choice<typeof formats, 'auto'>,
  ignoreWeights: false,
  weightRule: 'auto' as Choice<typeof weightRuleNames, 'auto'>,
  merge: 'max' as Choice<typeof mergeNames>,
  invertWeights: false,
  roundWeights: false,
  header: 'auto' as Choice<typeof tableOptions.header.choices>,
  encoding: 'auto' as Choice<typeof tableOptions.encoding.choices>,
  decimal: 'auto' as Choice<typeof tableOptions.decimal.choices>,
  missingWeight: 'stop' as Choice<typeof tableOptions.missingWeight.choices>,
  badRows: 'stop' as Choice<typeof tableOptions.badRows.choices>,
  delimiter: 'auto' as Choice<typeof delimiterNames>,
  sourceColumn: '',
  targetColumn: '',
  weightColumn: '',
  /** Attributes of edges: names or numbers of columns with commas between them, or `none`. */
  attributes: '',
  where: '',
  vertices: '',
  vertexColumn: '',
  memoryBytes: null as number | null,
  threads: null as number | null,
})

/** What was typed stays until an import of it has ended well, with what an import said that failed after its dialog had gone. */
export const importForm = reactive(emptyImport())
const form = importForm
/** The graphs among which a person chooses; none where the file holds one. */
export const graphsOfFile = shallowRef<CallResult<'datasets.contents'>['graphs']>([])
export const lastFailure = shallowRef<FailureValue | null>(null)

export function clearImport(sources: readonly string[]): void {
  const [source = '', ...more] = sources
  Object.assign(importForm, emptyImport(), { source, more })
  lastFailure.value = null
}

export const filesOf = (): readonly string[] => (form.source === '' ? [] : [form.source, ...form.more])

export const fileName = (source: string): string => source.split(/[/\\]/).at(-1) ?? ''

/** What the dataset of a file will be called: by the name that was typed, unless each of several has its own. */
export function nameToBe(source: string): string {
  if (form.name !== '' && (form.more.length === 0 || form.together === 'one')) return form.name
  const [member] = form.members
  return member === undefined ? withoutEndings(fileName(source)) : nameOfGraph(member)
}

const nameOfGraph = (member: string): string =>
  graphsOfFile.value.find((graph) => graph.member === member)?.name ?? member

/** Leaves out what an import has begun with, and takes it back where that failed. */
export function leaveOutGraph({ source, member }: ImportArgs): void {
  if (member === undefined) leaveOut(source)
  else form.members = form.members.filter((other) => other !== member)
}

export function takeBack({ source, member }: ImportArgs): void {
  addFile(source)
  if (member !== undefined && !form.members.includes(member)) form.members = [...form.members, member]
}

function addFile(file: string): void {
  if (filesOf().includes(file)) return
  if (form.source === '') form.source = file
  else form.more = [...form.more, file]
}

export function leaveOut(file: string): void {
  const [source = '', ...more] = filesOf().filter((other) => other !== file)
  Object.assign(form, { source, more }, more.length === 0 ? { together: null } : {})
}

/** Only what was said; everything else is the import's own choice. */
function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], Unsaid> } {
  const said = Object.entries(fields).filter(([, value]) => !unsaid.includes(value as Unsaid))
  return Object.fromEntries(said) as { [K in keyof T]: Exclude<T[K], Unsaid> }
}

type Unsaid = null | '' | 'auto' | 'stop' | false
const unsaid: readonly Unsaid[] = [null, '', 'auto', 'stop', false]

function tableOf(): Pick<PreviewArgs, 'table'> {
  const { header, delimiter, encoding, decimal, missingWeight, badRows } = form
  const { sourceColumn, targetColumn, weightColumn, attributes, where, vertices } = form
  const lines = { header, delimiter, encoding, decimal, missingWeight, badRows }
  const vertexColumn = vertices === '' ? '' : form.vertexColumn
  const table = given({ ...lines, sourceColumn, targetColumn, weightColumn, attributes, where, vertexColumn })
  return Object.keys(table).length === 0 ? {} : { table }
}

/** How the first file is read, beside its format. */
export function readingOf(): CallArgs<'plan'>['reading'] {
  const { ignoreWeights, weightRule, vertices } = form
  return { ...given({ ignoreWeights, weightRule, vertices }), ...tableOf() }
}

function previewsOf(): readonly PreviewArgs[] {
  const { format, ignoreWeights, weightRule, together, vertices } = form
  const said = { ...given({ format, ignoreWeights, weightRule }), ...tableOf() }
  return filesOf().map((source, index) => {
    const member = form.members[0] ?? ''
    if (index === 0) return { source, ...said, ...given({ vertices, member }) }
    return { source, ...said, ...(together === 'one' ? { joins: form.source } : {}) }
  })
}

export function importsOf(): readonly ImportArgs[] {
  const { source, more, format, ignoreWeights, weightRule, merge, memoryBytes, threads, vertices } = form
  const { invertWeights, roundWeights } = form
  const files = filesOf()
  const said = {
    ...given({ format, ignoreWeights, weightRule, invertWeights, roundWeights, memoryBytes, threads }),
    ...(merge === 'max' ? {} : { merge }),
    ...tableOf(),
  }
  if (form.together === 'many' && more.length > 0) return files.map((file) => ({ source: file, ...said }))
  const several = more.length === 0 ? {} : { sources: [...more], sourceName: files.map(fileName).join(', ') }
  const { name, members } = form
  if (members.length > 0) {
    const nameOf = (member: string): string => (members.length === 1 ? nameToBe(source) : nameOfGraph(member))
    return members.map((member) => ({ source, member, name: nameOf(member), ...given({ vertices }), ...said }))
  }
  return [{ source, ...given({ name, vertices }), ...said, ...several }]
}

interface Seen {
  readonly preview: CallResult<'datasets.preview'> | null
  readonly failure: FailureValue | null
}

async function look(args: PreviewArgs): Promise<Seen> {
  try {
    return { preview: await ask('datasets.preview', args), failure: null }
  } catch (error) {
    return { preview: null, failure: failureOf(error) }
  }
}

function troubleOf({ preview, failure }: Seen): { key: keyof typeof text.notYet; text: string } | null {
  if (failure !== null || preview === null) return { key: 'preview', text: failure?.what ?? '' }
  if ((preview.table?.asks ?? null) !== null) return { key: 'asks', text: text.question }
  const [refusal] = preview.refusals
  return refusal === undefined ? null : { key: 'refusals', text: refusal.failure.what }
}

/** What files are as they are read now, and what is in the way of their import. */
export function useImportCheck(open: Ref<boolean>) {
  const datasets = useDatasets()
  const files = computed(() => filesOf())
  const looked = useLatest(
    () => (open.value ? previewsOf() : []),
    (all) =>
      all.length === 0 ? null : Promise.all(all.map(look)).then((found) => ({ of: JSON.stringify(all), found })),
  )
  const seen = computed(() => looked.value?.found ?? [])
  const isSeen = computed(() => looked.value?.of === JSON.stringify(previewsOf()))
  watch(seen, (now) => {
    const holdGraphs = now.every(({ preview }) => preview !== null && !canBePart(preview.format))
    if (isSeen.value && now.length > 1 && form.together === null && holdGraphs) form.together = 'many'
  })

  function nameProblemOf(file: string): string | null {
    const name = nameToBe(file)
    if (name === '') return null
    const isTwice = form.together === 'many' && files.value.filter((other) => nameToBe(other) === name).length > 1
    if (isTwice) return text.nameTwice(name)
    if (datasets.byName.has(name)) return text.nameTaken(name)
    return datasetNameSchema.safeParse(name).success ? null : words.library.nameRule
  }

  const contents = useLatest(
    () => (open.value && files.value.length === 1 ? form.source : ''),
    (source) => (source === '' ? null : ask('datasets.contents', { source })),
  )
  watch(
    () => contents.value,
    (now) => (graphsOfFile.value = (now?.graphs.length ?? 0) > 1 ? now!.graphs : []),
  )
  watch(
    () => form.source,
    () => Object.assign(form, { members: [] }),
    { flush: 'sync' },
  )
  const takenNames = computed(
    () => new Set(graphsOfFile.value.map(({ name }) => name).filter((name) => datasets.byName.has(name))),
  )
  const hasTakenGraph = computed(
    () => form.members.length > 1 && form.members.some((member) => takenNames.value.has(nameOfGraph(member))),
  )

  const isMany = computed(() => form.together === 'many' && form.more.length > 0)
  const nameProblem = computed(() => nameProblemOf(form.source))
  const nameProblems = computed(() => files.value.map((file) => (isMany.value ? nameProblemOf(file) : null)))
  const troubles = computed(() => seen.value.map(troubleOf))
  const states = computed(() =>
    seen.value.map(({ preview }, index) => {
      const bad = nameProblems.value[index] ?? troubles.value[index]?.text ?? null
      return { text: bad ?? text.readAs(preview?.format ?? ''), isBad: bad !== null }
    }),
  )

  const chosen = ref<number | null>(null)
  watch(files, () => (chosen.value = null))
  const firstTrouble = computed(() => troubles.value.findIndex((trouble) => trouble !== null))
  const shown = computed({
    get: () => Math.min(chosen.value ?? Math.max(0, firstTrouble.value), Math.max(0, files.value.length - 1)),
    set: (index) => (chosen.value = index),
  })

  /** For beside the button; null when nothing is in the way, and while nobody knows yet. */
  const reason = computed(() => {
    if (form.source === '') return text.notYet.file
    if (Number.isNaN(form.memoryBytes) || Number.isNaN(form.threads)) return text.notYet.number
    if (form.more.length > 0 && form.together === null) return text.notYet.together
    if (graphsOfFile.value.length > 0 && form.members.length === 0) return text.notYet.graphs
    if (hasTakenGraph.value) return text.notYet.names
    if (isMany.value ? nameProblems.value.some((problem) => problem !== null) : nameProblem.value !== null)
      return isMany.value ? text.notYet.names : text.notYet.name
    const trouble = troubles.value.find((one) => one !== null)
    return trouble === undefined || trouble === null ? null : text.notYet[trouble.key]
  })

  return { files, seen, isSeen, states, shown, nameProblem, takenNames, reason }
}
