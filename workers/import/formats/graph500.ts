import { OTHER_FORMAT, inputFailure } from '../../base/failure.ts'
import type { WholeFormat } from './graph-format.ts'
import type { BinaryContext, StoredFile } from './stored-file.ts'

const STEP = 1 << 18
const MAX_HIGH = 2 ** 31

/** i64 v0, i64 v1, without a header; loops and duplicates belong to the generator. */
export const graph500: WholeFormat = {
  kind: 'whole',
  name: 'graph500',
  read: (file, context) =>
    readTuples(file, context, 4, (words, i, entry) => {
      entry.set([words[i]!, words[i + 1]!, words[i + 2]!, words[i + 3]!])
    }),
}

/** u32 low0, u32 low1, u32 high: 16 high bits of v0, then of v1. */
export const graph500Packed: WholeFormat = {
  kind: 'whole',
  name: 'graph500-packed',
  read: (file, context) =>
    readTuples(file, context, 3, (words, i, entry) => {
      const high = words[i + 2]!
      entry.set([words[i]!, high & 0xffff, words[i + 1]!, high >>> 16])
    }),
}

/** @param unpack sets `entry` to the low and high halves of both ends of the tuple at word i */
async function readTuples(
  file: StoredFile,
  context: BinaryContext,
  tupleWords: number,
  unpack: (words: Uint32Array, i: number, entry: Uint32Array) => void,
) {
  const tupleBytes = 4 * tupleWords
  if (file.bytes % tupleBytes !== 0)
    throw inputFailure(
      file.name,
      `${file.bytes} bytes are no whole number of ${tupleBytes}-byte tuples`,
      'Is the file complete? The other width is graph500 (16 bytes) or graph500-packed (12 bytes).',
      [OTHER_FORMAT],
    )
  const tuples = file.bytes / tupleBytes
  const entry = new Uint32Array(4)
  context.output.next()
  for (let first = 0; first < tuples; first += STEP) {
    const count = Math.min(STEP, tuples - first)
    const words = new Uint32Array(file.read(first * tupleBytes, count * tupleBytes).buffer)
    for (let i = 0; i < count; i++) {
      unpack(words, i * tupleWords, entry)
      if (entry[1]! >= MAX_HIGH || entry[3]! >= MAX_HIGH)
        throw inputFailure(
          file.name,
          `tuple ${first + i} holds a negative id`,
          'Is it a Graph500 edge list, and of this width?',
        )
      context.output.addWide(entry[0]!, entry[1]!, entry[2]!, entry[3]!, 1)
    }
    await context.pump((first + count) * tupleBytes)
  }
  return { vertices: { kind: 'occurring' } as const, warnings: [] }
}
