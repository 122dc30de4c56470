import type { CounterEntry } from './schema.ts'

export type * from './schema.ts'

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
