import { extname } from 'node:path'
import { inputFailure } from '../failure.ts'
import type { GraphFormat } from '../jobs.ts'
import { KONECT_BANNER } from './formats/read-konect.ts'

/** Text that is looked at before the format is decided. */
export const SAMPLE_BYTES = 256 << 10

export interface DetectedFormat {
  readonly format: GraphFormat
  /** For the log: what spoke for it. */
  readonly reason: string
}

/**
 * Decides the format from the first lines of the text; the file's name is asked last.
 * @param sample the first bytes of the text (decompressed, without byte order mark)
 * @param complete whether the sample is all of it
 * @throws Failure (input) when this is no text.
 */
export function detectFormat(sample: Uint8Array, complete: boolean, path: string): DetectedFormat {
  refuseBinary(sample, path)
  if (Buffer.from(sample.subarray(0, 14)).toString('latin1').toLowerCase() === '%%matrixmarket')
    return { format: 'matrix-market', reason: 'the first line is a Matrix Market banner' }
  return (
    byFirstLines(sample) ??
    metisShape(sample, complete, path) ?? { format: 'edge-list', reason: 'every line holds an edge' }
  )
}

/** What the first lines say in words: a KONECT banner, a DIMACS problem line, or the first word of PBBS. */
function byFirstLines(sample: Uint8Array): DetectedFormat | null {
  const text = Buffer.from(sample).toString('latin1')
  if (KONECT_BANNER.test(text)) return { format: 'konect', reason: 'the first line is a KONECT banner' }
  if (/^\s*(Weighted)?AdjacencyGraph\s/.test(text))
    return { format: 'pbbs', reason: 'the first word is that of a PBBS or Ligra graph' }
  const problem = /^(?:c(?:[ \t].*)?\r?\n|\s*\n)*p[ \t]+(edge|edges|col|clq|sp)[ \t]+\d/.exec(text)?.[1]
  if (problem === undefined) return null
  const format = problem === 'sp' ? 'dimacs9' : 'dimacs'
  return { format, reason: `there is a DIMACS problem line, "p ${problem}"` }
}

/** @throws Failure (input) at the first line with bytes that no text has. */
export function refuseBinary(sample: Uint8Array, path: string): void {
  let line = 1
  for (const c of sample) {
    if (c === 10) line++
    else if (c < 9 || (c > 13 && c < 32 && c !== 27) || c === 127)
      throw inputFailure(
        `${path}:${line}`,
        `this is not text: it holds the byte 0x${c.toString(16).padStart(2, '0')}`,
        'Is it of a binary format whose header is damaged, or that needs --format? Text must be UTF-8, plain or gzip.',
      )
  }
}

interface Lines {
  readonly header: number[]
  readonly rows: number[][]
}

/** METIS: a header `n m [fmt [ncon]]` and then lines of different lengths whose numbers are vertices, or the exact counts. */
function metisShape(sample: Uint8Array, complete: boolean, path: string): DetectedFormat | null {
  const parsed = numericLines(sample, complete)
  if (parsed === null) return null
  const { header, rows } = parsed
  const [vertices, edges, fmt = 0] = header as [number, number, number?]
  const numbers = rows.reduce((sum, row) => sum + row.length, 0)
  const lastBlank = rows.findLastIndex((row) => row.length > 0) + 1
  const rowsFit = complete ? rows.length >= vertices && lastBlank <= vertices : lastBlank <= vertices
  const countsFit = complete && rowsFit && fmt === 0 && numbers === 2 * edges && isSymmetric(rows)
  if (countsFit && vertices > 0)
    return { format: 'metis', reason: `the header's ${vertices} vertices and ${edges} edges are what follows` }
  const lengths = new Set(rows.map((row) => row.length))
  const inRange = rows.flat().filter((v) => v >= 1 && v <= vertices).length
  const ragged = lengths.size > 1 || ![2, 3].includes([...lengths][0] ?? 2)
  if (rowsFit && ragged && 2 * inRange > numbers)
    return { format: 'metis', reason: `lines of different lengths follow the header of ${vertices} vertices` }
  if (['.graph', '.metis', '.chaco'].includes(extension(path)))
    return { format: 'metis', reason: `the file's name ends in ${extension(path)}` }
  return null
}

/** Every edge stands in the lines of both its ends, and there are no loops: what no list of edges looks like by chance. */
function isSymmetric(rows: number[][]): boolean {
  const neighbours = rows.map((row) => new Set(row))
  return rows.every((row, i) => row.every((v) => v !== i + 1 && neighbours[v - 1]?.has(i + 1) === true))
}

/** null when the first line is no METIS header or a line holds anything but numbers. */
function numericLines(sample: Uint8Array, complete: boolean): Lines | null {
  const lines = Buffer.from(sample).toString('latin1').split('\n')
  // What stands after the last newline is no line, or half a line.
  const last = lines.pop()
  if (complete && last !== undefined && last !== '') lines.push(last)
  const texts = lines.filter((line) => !line.startsWith('%')).map((line) => line.trim())
  const headerText = texts.shift() ?? ''
  if (!/^\d{1,15}\s+\d{1,15}(\s+[01]{1,3}(\s+\d{1,4})?)?$/.test(headerText)) return null
  if (texts.some((text) => !/^[-+.\deE\s]*$/.test(text))) return null
  const numbers = (text: string) => (text === '' ? [] : text.split(/\s+/).map(Number))
  return { header: numbers(headerText), rows: texts.map(numbers) }
}

function extension(path: string): string {
  return extname(path.replace(/\.(gz|bgz)$/i, '')).toLowerCase()
}
