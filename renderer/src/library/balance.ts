import type { Dataset } from '../../../electron/contract/dataset.ts'
import type { Fact } from '../base/FactList.vue'
import { exactly } from '../quantity.ts'
import { importing } from '../words/words.ts'

const text = importing.balance

export type ImportBalance = NonNullable<Dataset['report']['balance']>

interface BalancePart {
  readonly heading: string
  /** The total first, then the parts that add up to it. */
  readonly facts: readonly Fact[]
  /** What is counted beside the sum. */
  readonly note: string
}

const fact = (name: string, count: number): Fact => ({ name, text: exactly(count) })

/** A total and its parts; those that are nowhere are left out. */
const sumOf = (total: string, counts: { readonly total: number }, names: Readonly<Record<string, string>>) => [
  fact(total, counts.total),
  ...Object.entries(names).flatMap(([key, name]) => {
    const count = (counts as Readonly<Record<string, unknown>>)[key]
    return typeof count === 'number' && count > 0 ? [fact(name, count)] : []
  }),
]

/** What became of every line, entry, row of vertices and weight, as figures that add up. */
export function balanceParts({ lines, entries, vertices, weights }: ImportBalance): readonly BalancePart[] {
  const changed = Object.entries(text.weights).flatMap(([key, name]) => {
    const count = (weights as Readonly<Record<string, unknown>> | null)?.[key]
    return typeof count === 'number' && count > 0 ? [fact(name, count)] : []
  })
  const rows = vertices === null ? null : { ...vertices, total: vertices.rows }
  return [
    ...(lines === null
      ? []
      : [{ heading: text.heading[lines.unit], facts: sumOf(text.all[lines.unit], lines, text.lines), note: '' }]),
    {
      heading: text.heading.entries,
      facts: sumOf(text.all.entries, entries, text.entries),
      note: entries.differing === null || entries.differing === 0 ? '' : text.differing(entries.differing),
    },
    ...(rows === null || vertices === null
      ? []
      : [
          {
            heading: text.heading.vertices(vertices.source),
            facts: sumOf(text.all.vertices, rows, text.vertices),
            note: text.withoutRow(vertices.withoutRow),
          },
        ]),
    ...(weights === null
      ? []
      : [{ heading: text.heading.weights, facts: changed, note: changed.length === 0 ? text.noWeights : '' }]),
  ]
}
