import { basename, extname } from 'node:path'
import { inputFailure } from '../../base/failure.ts'
import type { FormatName } from '../../contract/jobs.ts'
import { metisReason } from './metis-shape.ts'
import { refuseOtherFormat } from './other-formats.ts'
import { KONECT_LIKE } from './konect.ts'

/** Text that is looked at before the format is decided. */
export const SAMPLE_BYTES = 256 << 10

export interface DetectedFormat {
  readonly format: FormatName
  /** For the log: what spoke for it. */
  readonly reason: string
}

/**
 * Decides the format from the first lines of the text; the file's name is asked last. What is nearly of a format is that format,
 * damaged: its reader tells what is wrong. An edge list is what nothing else speaks for.
 * @param sample the first bytes of the text (decompressed, without byte order mark)
 * @param complete whether the sample is all of it
 * @throws Failure (input) when this is no text, or of a format that is not read.
 */
export function detectFormat(sample: Uint8Array, complete: boolean, path: string): DetectedFormat {
  refuseOtherFormat(sample, path)
  refuseBinary(sample, path)
  const text = Buffer.from(sample).toString('latin1')
  const named = byFirstWords(text) ?? byProblemLine(text)
  if (named !== null) return named
  const metis = metisReason(text, complete)
  if (metis !== null) return { format: 'metis', reason: metis }
  if (/^out\./.test(basename(path))) return { format: 'konect', reason: "the file's name begins with out." }
  const format = promised[extension(path)]
  if (format !== undefined) return { format, reason: `the file's name ends in ${extension(path)}` }
  return { format: 'edge-list', reason: 'every line holds an edge' }
}

/** What the names of text files promise. */
const promised: Readonly<Record<string, FormatName>> = {
  '.mtx': 'matrix-market',
  '.mm': 'matrix-market',
  '.graph': 'metis',
  '.metis': 'metis',
  '.chaco': 'metis',
  '.col': 'dimacs',
  '.clq': 'dimacs',
  '.gr': 'dimacs9',
  '.adj': 'pbbs',
}

/** The first word of a file of Matrix Market, PBBS or Ligra, or nearly; or a KONECT banner. */
function byFirstWords(text: string): DetectedFormat | null {
  if (isNearly(text, '%%MatrixMarket'))
    return { format: 'matrix-market', reason: 'the first line is a Matrix Market banner' }
  if (isNearly(text.trimStart(), 'AdjacencyGraph') || isNearly(text.trimStart(), 'WeightedAdjacencyGraph'))
    return { format: 'pbbs', reason: 'the first word is that of a PBBS or Ligra graph' }
  return KONECT_LIKE.test(text) ? { format: 'konect', reason: 'the first line is a KONECT banner' } : null
}

/** Whether a text begins with a word, in any case; two of its letters may be others, or one missing or added. */
function isNearly(text: string, known: string): boolean {
  const [a, b] = [text.slice(0, known.length).toLowerCase(), known.toLowerCase()]
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]! <= 2
}

/** DIMACS by its problem line or, where that is damaged or missing, by the letters in front of its edges. */
function byProblemLine(text: string): DetectedFormat | null {
  const lines = text.split('\n', 1000).filter((line) => !/^(?:c(?:\s.*)?|\s*)$/.test(line))
  const [, known, other] = /^p\s+(?:(edge|edges|col|clq|sp)\s+\d|(\S+)\s+\d+\s+\d+\s*$)/.exec(lines[0] ?? '') ?? []
  const kind = known ?? other
  const edges = lines.filter((line) => /^e\s+\d+\s+\d+\s*$/.test(line)).length
  const arcs = lines.filter((line) => /^a\s+\d+\s+\d+\s+\S+\s*$/.test(line)).length
  if (kind === undefined && 2 * Math.max(edges, arcs) < lines.length) return null
  if (lines.length === 0) return null
  const format = kind === 'sp' || (kind !== 'edge' && arcs > edges) ? 'dimacs9' : 'dimacs'
  const reason = kind === undefined ? 'its lines are those of DIMACS' : `there is a DIMACS problem line, "p ${kind}"`
  return { format, reason }
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

function extension(path: string): string {
  return extname(path.replace(/\.(gz|bgz)$/i, '')).toLowerCase()
}
