import { reactive, shallowRef } from 'vue'
import { withoutEndings } from '../../../electron/contract/dataset.ts'
import { importOptions, tableChoices } from '../../../electron/contract/import-options.ts'
import type { CallArgs } from '../../../electron/contract/calls.ts'
import type { FailureValue } from '../connection.ts'

type ImportArgs = CallArgs<'datasets.import'>
type PreviewArgs = CallArgs<'datasets.preview'>

export const formats = importOptions.format.unwrap().options
export const weightRuleNames = importOptions.weightRule.unwrap().options
export const mergeNames = importOptions.merge.unwrap().options
/** Those that people meet; any other character can be written on the command line. */
export const delimiterNames = ['auto', 'comma', 'semicolon', 'tab', 'space', 'pipe'] as const
export type ColumnRole = 'source' | 'target' | 'weight'

/** What a person has filled in; `auto` and empty texts leave the choice to the import. */
export interface ImportForm {
  source: string
  name: string
  format: 'auto' | (typeof formats)[number]
  ignoreWeights: boolean
  weightRule: 'auto' | (typeof weightRuleNames)[number]
  merge: (typeof mergeNames)[number]
  invertWeights: boolean
  header: (typeof tableChoices.header)[number]
  encoding: (typeof tableChoices.encoding)[number]
  decimal: (typeof tableChoices.decimal)[number]
  missingWeight: (typeof tableChoices.missingWeight)[number]
  badRows: (typeof tableChoices.badRows)[number]
  delimiter: (typeof delimiterNames)[number]
  sourceColumn: string
  targetColumn: string
  weightColumn: string
  where: string
  memoryBytes: number | null
  threads: number | null
}

export const emptyImport = (): ImportForm => ({
  source: '',
  name: '',
  format: 'auto',
  ignoreWeights: false,
  weightRule: 'auto',
  merge: 'max',
  invertWeights: false,
  header: 'auto',
  encoding: 'auto',
  decimal: 'auto',
  missingWeight: 'stop',
  badRows: 'stop',
  delimiter: 'auto',
  sourceColumn: '',
  targetColumn: '',
  weightColumn: '',
  where: '',
  memoryBytes: null,
  threads: null,
})

/** What was typed stays until an import of it has ended well, with what an import said that failed after its dialog had gone. */
export const importForm = reactive(emptyImport())
export const lastFailure = shallowRef<FailureValue | null>(null)

export function clearImport(source: string): void {
  Object.assign(importForm, emptyImport(), { source })
  lastFailure.value = null
}

/** What the dataset will be called. */
export const nameToBe = ({ name, source }: ImportForm): string =>
  name === '' ? withoutEndings(source.split(/[/\\]/).at(-1) ?? '') : name

/** Only what was said; everything else is the import's own choice. */
function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], Unsaid> } {
  const said = Object.entries(fields).filter(([, value]) => !unsaid.includes(value as Unsaid))
  return Object.fromEntries(said) as { [K in keyof T]: Exclude<T[K], Unsaid> }
}

type Unsaid = null | '' | 'auto' | 'stop' | false
const unsaid: readonly Unsaid[] = [null, '', 'auto', 'stop', false]

function tableOf(form: ImportForm): Pick<PreviewArgs, 'table'> {
  const { header, delimiter, encoding, decimal, missingWeight, badRows } = form
  const { sourceColumn, targetColumn, weightColumn, where } = form
  const lines = { header, delimiter, encoding, decimal, missingWeight, badRows }
  const table = given({ ...lines, sourceColumn, targetColumn, weightColumn, where })
  return Object.keys(table).length === 0 ? {} : { table }
}

export function previewArgs(form: ImportForm): PreviewArgs {
  const { source, format, ignoreWeights, weightRule } = form
  return { source, ...given({ format, ignoreWeights, weightRule }), ...tableOf(form) }
}

export function importArgs(form: ImportForm): ImportArgs {
  const { source, name, format, ignoreWeights, weightRule, merge, invertWeights, memoryBytes, threads } = form
  return {
    source,
    ...given({ name, format, ignoreWeights, weightRule, invertWeights, memoryBytes, threads }),
    ...(merge === 'max' ? {} : { merge }),
    ...tableOf(form),
  }
}
