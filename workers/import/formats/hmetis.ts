/**
 * Hypergraphs of hMETIS (G. Karypis, V. Kumar, "hMETIS 1.5.3 manual", section 4.1), read as their clique expansion: each two vertices
 * of a hyperedge are an edge, which weighs what the hyperedge weighs. Only on request, as a hypergraph is no graph, and k vertices
 * become k (k - 1) / 2 edges. Memory holds a line.
 */
import { counted } from '../../base/counted.ts'
import { excerpt, inputFailure } from '../../base/failure.ts'
import { MAX_VERTICES, type ReaderContext, type WholeReading } from '../reader/graph-reader.ts'
import { numberOf } from '../reader/numbers.ts'
import type { WholeFormat } from './graph-format.ts'
import { type StoredFile, textLines } from './stored-file.ts'

const LONGEST_MIB = 1
/** Vertices of a hyperedge: twice as many are four times as many edges. */
const MOST_PINS = 10_000
/** Entries between two pauses. */
const PUMPED = 1 << 16

interface Header {
  readonly hyperedges: number
  readonly vertices: number
  readonly weighted: boolean
  readonly weighsVertices: boolean
}

/** Null where the line is none. */
function headerOf(words: readonly string[]): Header | null {
  const [hyperedges = '', vertices = '', fmt = '0', ...more] = words
  const isHeader = [hyperedges, vertices].every((word) => /^\d{1,10}$/.test(word)) && /^(?:0|1|10|11)$/.test(fmt)
  if (!isHeader || more.length > 0 || Number(vertices) > MAX_VERTICES) return null
  return {
    hyperedges: Number(hyperedges),
    vertices: Number(vertices),
    weighted: fmt.endsWith('1'),
    weighsVertices: fmt.startsWith('1') && fmt.length === 2,
  }
}

function headerIn(head: string): Header | null {
  const line = head.split('\n').find((each) => !each.startsWith('%'))
  return headerOf(line?.trim().split(/\s+/) ?? [])
}

async function* read(file: StoredFile, context: ReaderContext): WholeReading {
  const { output, weights, ignoreWeights } = context
  let header: Header | null = null
  let [seen, weighed, last, added] = [0, 0, 1, 0]
  for (const { line, text, readBytes } of textLines(file, LONGEST_MIB)) {
    const words = text.split(/\s+/).filter(Boolean)
    if (words.length === 0 || words[0]!.startsWith('%')) continue
    last = line
    const place = `${file.name}:${line}`
    if (header === null) {
      header = headerOf(words)
      if (header === null)
        throw inputFailure(place, `the header reads "${excerpt(words.join(' '))}"`, 'Write: hyperedges vertices [fmt].')
      output.weighted = header.weighted && !ignoreWeights
      output.next()
      continue
    }
    if (seen === header.hyperedges) {
      weighed++
      if (!header.weighsVertices || weighed > header.vertices || words.length > 1)
        throw inputFailure(place, `the header promises ${seen} hyperedges, and here is one more line`, 'Is it right?')
      const weight = numberOf(words[0]!)
      if (!Number.isFinite(weight))
        throw inputFailure(place, `the weight "${excerpt(words[0]!)}" of a vertex is no number`, 'Mend it.')
      context.vertexTap?.(weighed - 1, [['weight', weight]])
      continue
    }
    seen++
    const weighs = header.weighted ? (words.shift() ?? '') : '1'
    const weight = output.weighted ? weights.apply(numberOf(weighs), () => place, weighs) : 1
    const pins = [...new Set(words.map((word) => vertexOf(word, header!.vertices, place)))]
    if (pins.length > MOST_PINS)
      throw inputFailure(
        place,
        `a hyperedge has ${pins.length} vertices, and at most ${MOST_PINS} are expanded`,
        'Leave it out.',
      )
    for (let i = 0; i < pins.length && weight !== null; i++) {
      for (let j = i + 1; j < pins.length; j++) output.add(pins[i]!, pins[j]!, weight)
      added += pins.length - i - 1
      if (added < PUMPED) continue
      added = 0
      yield readBytes
    }
  }
  if (header === null) throw inputFailure(`${file.name}:${last}`, 'there is no header in this file', 'Is it complete?')
  if (seen < header.hyperedges)
    throw inputFailure(
      `${file.name}:${last}`,
      `the header promises ${header.hyperedges} hyperedges, and the file ends after ${seen}`,
      'Is the file complete, or the header wrong?',
    )
  yield file.bytes
  return {
    vertices: { kind: 'counted', vertices: header.vertices, base: 1 },
    warnings: [
      `${counted(seen, 'hyperedge was read as all pairs of its', 'hyperedges were read as all pairs of their')} vertices`,
    ],
  }
}

/** Counted from 0. @throws Failure (input) */
function vertexOf(word: string, vertices: number, place: string): number {
  const number = /^\d{1,10}$/.test(word) ? Number(word) : 0
  if (number >= 1 && number <= vertices) return number - 1
  throw inputFailure(place, `the vertex "${excerpt(word)}" is not one of 1 to ${vertices}`, 'Is the header right?')
}

export const hmetis: WholeFormat = {
  kind: 'whole',
  name: 'hmetis',
  firstId: 1,
  isText: true,
  hasVertexValues: (head) => headerIn(head)?.weighsVertices === true,
  most: (head, bytes) => {
    const vertices = headerIn(head)?.vertices ?? 0
    // A line of k vertices takes 2 k bytes at least.
    return { vertices, entries: Math.ceil((Math.min(vertices, MOST_PINS) * bytes) / 4) }
  },
  read,
}
