import type { EntryBlock, EntryOutput } from '../../graph/entries.ts'
import type { LabelTable } from '../label-table.ts'
import { PREVIEW_ROWS } from './preview-rows.ts'

/**
 * The first entries that a reader wrote: the ids of both ends, and the weight where there is one.
 * @param labels the table that entries point into, or what is to be added to internal ids
 */
export async function firstEntries(output: EntryOutput, labels: LabelTable | number): Promise<string[][]> {
  const rows: string[][] = []
  const accept = (block: EntryBlock): void => {
    for (let i = 0; i < block.count && rows.length < PREVIEW_ROWS; i++)
      rows.push([
        idOf(block.from[i]!, block.fromHigh?.[i] ?? 0, labels),
        idOf(block.to[i]!, block.toHigh?.[i] ?? 0, labels),
        ...(block.weights === null ? [] : [shortest(block.weights[i]!)]),
      ])
  }
  await output.drain({ accept }, true)
  return rows
}

function idOf(low: number, high: number, labels: LabelTable | number): string {
  if (typeof labels !== 'number') return Buffer.from(labels.bytes(low)).toString('utf8')
  return String((BigInt(high) << 32n) + BigInt(low) + BigInt(labels))
}

/** The fewest digits that are this single-precision number: 0.1, not 0.10000000149011612. */
function shortest(weight: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = weight.toPrecision(digits)
    if (Math.fround(Number(text)) === weight) return String(Number(text))
  }
  return String(weight)
}
