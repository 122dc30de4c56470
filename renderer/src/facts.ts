import type { Fact } from './base/FactList.vue'
import { byteSize, duration, exactly, quantity } from './quantity.ts'
import type { AlgorithmEntry } from './stores/algorithms.ts'
import { words } from './words/words.ts'

export const countFact = (name: string, value: number): Fact => ({ name, text: quantity(value), exact: exactly(value) })

export const sizeFact = (name: string, bytes: number): Fact => ({
  name,
  text: byteSize(bytes),
  exact: words.base.bytesExactly(exactly(bytes)),
})

/** What a plan needs of what there is; null: which is not known. */
export function neededFact(name: string, needed: number, available: number | null): Fact {
  const fact = sizeFact(name, needed)
  return available === null ? fact : { ...fact, text: `${fact.text} ${words.importing.of} ${byteSize(available)}` }
}

type Figure = Pick<AlgorithmEntry['counters'][number], 'name' | 'label' | 'unit' | 'explanation'>

export function figureFacts(known: readonly Figure[], values: Readonly<Record<string, number>>): readonly Fact[] {
  return known.flatMap(({ name, label, unit, explanation }) => {
    const value = values[name]
    if (value === undefined) return []
    return [{ name: label, text: inUnit(value, unit), exact: String(value), explanation }]
  })
}

const singular: Readonly<Record<string, string>> = { vertices: 'vertex', levels: 'level', edges: 'edge', pairs: 'pair' }

function inUnit(value: number, unit: string): string {
  if (unit === 'bytes') return byteSize(value)
  if (unit === 'ms') return duration(value)
  const isWhole = Number.isInteger(value) || Math.abs(value) >= 1e4
  const figure = isWhole ? quantity(Math.round(value)) : value.toPrecision(4)
  return unit === '' ? figure : `${figure} ${value === 1 ? (singular[unit] ?? unit) : unit}`
}
