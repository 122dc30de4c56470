/** Why lines are METIS; null where they are a table, such as an edge list. */
export type MetisReason = string | null

interface Header {
  readonly vertices: number
  readonly edges: number
  /** Numbers of a line before its neighbours. */
  readonly skipped: number
  /** Numbers of each neighbour. */
  readonly stride: 1 | 2
}

/** Lines that are looked at where there are more than the sample holds. */
const SAMPLE_LINES = 2000
/** Part of the lines that must be of the length of the first for a table. */
const TABLE_SHARE = 1 / 2
/** Part of the neighbours that must be so in both directions, or within the header's vertices. */
const MOST = 3 / 4

/**
 * Tells METIS from an edge list of numbers. Lines of a table are all alike; those of METIS are as long as their vertices have
 * neighbours, and fit the counts of the first. What is nearly so is METIS with damage, whose reader finds it.
 * @param complete whether these lines are all of the file
 */
export function metisReason(text: string, complete: boolean): MetisReason {
  const lines = text.split('\n', complete ? undefined : SAMPLE_LINES)
  if (lines.at(-1) === '') lines.pop()
  const rows = lines.filter((line) => !/^\s*(?:[%#]|\/\/)/.test(line)).map((line) => line.split(/\s+/).filter(Boolean))
  const begin = rows.findIndex((row) => row.length > 0)
  const [first, ...others] = begin < 0 ? [] : rows.slice(begin)
  if (first === undefined || !areNumbers(rows)) return null
  const lengths = others.map((row) => row.length).filter((length) => length > 0)
  if (lengths.length === 0) return null
  if (!isTable(first.length, lengths)) return 'its lines of numbers have different lengths'
  const header = headerOf(first)
  if (header === null) return null
  if (complete && countsFit(header, others))
    return `the header's ${header.vertices} vertices and ${header.edges} edges are what follows`
  if (
    isRagged(lengths) &&
    others.findLastIndex((row) => row.length > 0) < header.vertices &&
    areInRange(header, others)
  )
    return `lines of different lengths follow the header of ${header.vertices} vertices`
  return null
}

/** A stray word is damage; more are ids. */
function areNumbers(rows: readonly string[][]): boolean {
  const words = rows.flat()
  const strays = words.filter((word) => !/^[-+]?\d*\.?\d+(?:e[-+]?\d+)?$/i.test(word)).length
  return strays <= Math.max(1, words.length / 10) && words.length > 2
}

function isTable(first: number, lengths: readonly number[]): boolean {
  const isEdge = (length: number) => length === 2 || length === 3
  if (isEdge(first) && lengths.every(isEdge)) return true
  return lengths.filter((length) => length === first).length >= TABLE_SHARE * lengths.length
}

function isRagged(lengths: readonly number[]): boolean {
  return lengths.some((length) => length !== lengths[0]) || lengths[0]! < 2 || lengths[0]! > 3
}

function headerOf(words: readonly string[]): Header | null {
  const [vertices = '', edges = '', fmt = '0', ncon = '1'] = words
  if (words.length > 4 || ![vertices, edges, ncon].every((word) => /^\d{1,15}$/.test(word)) || !/^[01]{1,3}$/.test(fmt))
    return null
  const [sizes, vertexWeights, edgeWeights] = Array.from(fmt.padStart(3, '0'), Number) as [number, number, number]
  return {
    vertices: Number(vertices),
    edges: Number(edges),
    skipped: sizes + vertexWeights * Number(ncon),
    stride: edgeWeights === 1 ? 2 : 1,
  }
}

function neighboursOf({ skipped, stride }: Header, row: readonly string[]): number[] {
  return row.filter((_, i) => i >= skipped && (i - skipped) % stride === 0).map(Number)
}

/** The counts of the header are those of the lines, and neighbours are so in both directions, which no table is by chance. */
function countsFit(header: Header, rows: readonly string[][]): boolean {
  const { vertices, edges, skipped, stride } = header
  const lists = rows.map((row) => neighboursOf(header, row))
  const listed = lists.findLastIndex((list) => list.length > 0) + 1
  const numbers = rows.reduce((sum, row) => sum + row.length, 0)
  if (vertices === 0 || listed > vertices || rows.length < vertices - 1) return false
  return numbers === 2 * edges * stride + skipped * vertices && bothDirections(lists) >= MOST
}

/** Part of the neighbours that have their vertex for a neighbour; loops and repeats have not. */
function bothDirections(lists: readonly number[][]): number {
  const sets = lists.map((list) => new Set(list))
  const both = sets.flatMap((set, i) => [...set].filter((v) => v !== i + 1 && sets[v - 1]?.has(i + 1) === true))
  const listed = lists.reduce((sum, list) => sum + list.length, 0)
  return listed === 0 ? 1 : both.length / listed
}

function areInRange(header: Header, rows: readonly string[][]): boolean {
  const neighbours = rows.flatMap((row) => neighboursOf(header, row))
  return neighbours.filter((v) => v >= 1 && v <= header.vertices).length >= MOST * neighbours.length
}
