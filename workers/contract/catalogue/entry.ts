import type { AlgorithmEntry, CounterEntry, OptionEntry } from './schema.ts'

/** Its flag follows from its name. */
export type OptionDefinition = Omit<OptionEntry, 'flag'>

export interface AlgorithmDefinition extends Omit<AlgorithmEntry, 'options'> {
  readonly options: readonly OptionDefinition[]
}

type OptionDetails = Omit<OptionDefinition, 'name' | 'kind' | 'label' | 'explanation'>

export const option = <
  const N extends string,
  const K extends OptionEntry['kind'],
  const D extends OptionDetails = object,
>(
  name: N,
  kind: K,
  label: string,
  explanation: string,
  details?: D,
) => ({ name, kind, label, explanation, ...(details as D) })

export const choice = <const V extends string>(value: V, label: string, explanation: string) => ({
  value,
  label,
  explanation,
})

export const counter = (name: string, label: string, unit: string, explanation: string): CounterEntry => ({
  name,
  label,
  unit,
  explanation,
})

export const readPercent = counter(
  'readPercent',
  'Read of the file',
  '%',
  'Bytes read of the graph, as a share of its file.',
)
