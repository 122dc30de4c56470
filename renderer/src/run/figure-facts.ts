import type { Fact } from '../base/FactList.vue'
import { byteSize, duration, quantity } from '../quantity.ts'
import type { AlgorithmEntry } from '../stores/algorithms.ts'

type Figure = AlgorithmEntry['counters'][number]

export function figureFacts(known: readonly Figure[], values: Readonly<Record<string, number>>): readonly Fact[] {
  return known.flatMap(({ name, label, unit, explanation }) => {
    const value = values[name]
    if (value === undefined) return []
    return [{ name: label, text: inUnit(value, unit), exact: String(value), explanation }]
  })
}

export function inUnit(value: number, unit: string): string {
  if (unit === 'bytes') return byteSize(value)
  if (unit === 'ms') return duration(value)
  const figure = Number.isInteger(value) ? quantity(value) : value.toPrecision(4)
  return unit === '' ? figure : `${figure} ${unit}`
}
