import { MAX_VERTICES } from '../reader/graph-reader.ts'
import { isInteger } from '../reader/numbers.ts'

/** A first line of a list of edges that is no edge: the numbers of vertices and edges. They may stand in a line each. */
export interface CountsLine {
  readonly lines: 1 | 2
  readonly vertices: number
  readonly edges: number
  /** The first id that is a vertex whatever follows, and the first that is none. */
  readonly first: number
  readonly end: number
}

type Rows = readonly (readonly string[])[]

/** The least rows: anything may be the number of fewer. */
const LEAST_ROWS = 3
/** Vertices without an edge, for each edge, that a header is believed. */
const MOST_ALONE = 16
const ANYWAY = 2 ** 20

/** Numbers of vertices and edges in a line each, as one marked row, with the rows behind them (R. Sedgewick, K. Wayne, "Algorithms", 4th edition, 4.1). */
export function countsInTwo([first, second, ...rest]: Rows): Rows | null {
  const areOne = first?.length === 1 && second?.length === 1 && rest.length > 0
  return areOne && isInteger(first[0]!) && isInteger(second[0]!) ? [['p', first[0]!, second[0]!], ...rest] : null
}

const numbersOf = (first: readonly string[]): number[] | null => {
  const words = first[0]?.toLowerCase() === 'p' ? first.slice(1) : first
  const areNumbers = words.length >= 2 && words.length <= 3 && words.every((word) => /^\d{1,15}$/.test(word))
  return areNumbers ? words.map(Number) : null
}

/** A quick look at few of the rows, which most lists of edges do not pass. */
export function mayCountRows(first: readonly string[], few: Rows): boolean {
  const numbers = numbersOf(first)
  const seen = numbers && endsOf(few)
  return seen !== null && few.length > 0 && (seen.most <= numbers![0]! || seen.ids.size <= numbers![0]!)
}

/**
 * Recognises "n m", "n n m" and "p n m" above m edges of n vertices, which count from 0 or from 1. Where they fit by and
 * by, they may count or be an edge: `doubt`.
 * @param rows those that follow, or their beginning where the text is not `complete`
 */
export function countsLine(
  first: readonly string[],
  rows: Rows,
  complete: boolean,
  lines: CountsLine['lines'] = 1,
): CountsLine | 'doubt' | null {
  const numbers = numbersOf(first)
  if (numbers === null || rows.length === 0) return null
  const isMarked = first.length > numbers.length
  const [vertices, edges] = [numbers[0]!, numbers.at(-1)!]
  const isSquare = numbers.length === 2 || numbers[1] === vertices
  const seen = endsOf(rows)
  if (seen === null || vertices < 1 || vertices > MAX_VERTICES) return null
  const { ids, least, most } = seen
  const fits = most < vertices || (least >= 1 && most <= vertices)
  const isOdd = isMarked || rows.every((row) => row.length !== first.length)
  if (!complete) {
    const areNoIds = edges > vertices || !(ids.has(vertices) || ids.has(edges))
    if (!fits || !isSquare || edges <= rows.length || !(isOdd || (numbers.length === 2 && areNoIds))) return null
    return { lines, vertices, edges, first: 1, end: vertices }
  }
  if (edges !== rows.length) return mayCount(edges, vertices, rows.length, fits, isOdd, ids.size) ? 'doubt' : null
  const isMuch = rows.length >= LEAST_ROWS || isOdd
  // Else it is an edge with a weight.
  if (!isSquare) return isOdd && most <= Math.max(vertices, numbers[1]!) ? 'doubt' : null
  if (!fits) return isMuch && ids.size === vertices ? 'doubt' : null
  if (!isMuch || vertices > Math.max(ANYWAY, MOST_ALONE * (edges + 1))) return 'doubt'
  const base = least === 0 ? 0 : 1
  return { lines, vertices, edges, first: base, end: vertices + base }
}

/** Whether counts that are not those of the rows may be meant as such. */
function mayCount(edges: number, vertices: number, rows: number, fits: boolean, isOdd: boolean, ids: number): boolean {
  if (!fits) return isOdd
  if (isOdd) return true
  if (rows < LEAST_ROWS) return false
  return edges === 2 * rows || 2 * edges === rows || (Math.abs(edges - rows) === 1 && ids === vertices)
}

/** null where an end is no whole number */
function endsOf(rows: Rows) {
  const ids = new Set<number>()
  let [least, most] = [Infinity, 0]
  for (const row of rows)
    for (const place of [0, 1]) {
      const word = row[place] ?? ''
      if (!isInteger(word)) return null
      const id = Number(word)
      ids.add(id)
      least = Math.min(least, id)
      most = Math.max(most, id)
    }
  return { ids, least, most }
}
