import { extname } from 'node:path'
import type { FormatName } from '../../contract/jobs.ts'
import type { DetectedFormat } from './detect-format.ts'
import { MAX_VERTICES } from '../graph-reader.ts'
import { type CsrLayout, numbers } from './csr.ts'
import { eclLayout } from './ecl.ts'
import { galoisLayout } from './galois.ts'
import { gapbsLayout } from './gapbs.ts'
import type { StoredFile } from './stored-file.ts'
import { viteLayout } from './vite.ts'
import { hasProperties } from './webgraph.ts'

/** Targets that are looked at where two layouts fit the same length. */
const PROBE = 1024

const adjacencyFormats: readonly {
  readonly format: FormatName
  readonly extensions: readonly string[]
  readonly layout: (file: StoredFile) => CsrLayout | null
}[] = [
  { format: 'galois', extensions: ['.gr', '.vgr', '.cgr', '.sgr'], layout: galoisLayout },
  { format: 'egr', extensions: ['.egr', '.egr64'], layout: eclLayout },
  { format: 'gapbs', extensions: ['.sg', '.wsg'], layout: gapbsLayout },
  { format: 'vite', extensions: ['.bin', '.vite'], layout: viteLayout },
]

/** Where a file of a binary adjacency format keeps its arrays; null for other formats, and where header and length do not fit. */
export function csrLayout(format: FormatName, file: StoredFile): CsrLayout | null {
  const layout = adjacencyFormats.find((known) => known.format === format)?.layout(file) ?? null
  return layout !== null && layout.vertices <= MAX_VERTICES ? layout : null
}

/**
 * Decides whether a file is of a binary format: by its magic, by lengths and offsets that fit its header, and only then by
 * its name.
 * @returns null for text, and for bytes that no format explains.
 */
export function recogniseBinary(file: StoredFile): DetectedFormat | null {
  if (hasProperties(file.path) && extensionOf(file.name) === '.graph')
    return { format: 'webgraph', reason: 'a .properties file of a BVGraph lies beside it' }
  const head = file.head(8)
  const magic = Buffer.from(head).toString('latin1')
  if (magic.startsWith('PAR1')) return { format: 'parquet', reason: 'it begins with PAR1' }
  if (magic.startsWith('ARROW1')) return { format: 'arrow', reason: 'it begins with ARROW1' }
  if (magic.startsWith('\xff\xff\xff\xff') && head[7] === 0)
    return { format: 'arrow', reason: 'it begins with the marker of an Arrow stream' }
  if (!looksBinary(file)) return null
  return byLayout(file) ?? byExtension(file)
}

function byLayout(file: StoredFile): DetectedFormat | null {
  const fitting = adjacencyFormats.flatMap(({ format, extensions, layout }) => {
    const fits = layout(file)
    return fits !== null && targetsFit(file, fits) ? [{ format, extensions, layout: fits }] : []
  })
  const extension = extensionOf(file.name)
  const best = fitting.find(({ extensions }) => extensions.includes(extension)) ?? fitting[0]
  if (best === undefined) return null
  const { vertices, arcs } = best.layout
  const others = fitting.length > 1 ? ', and the name speaks for it' : ''
  return { format: best.format, reason: `${vertices} vertices and ${arcs} arcs explain its length${others}` }
}

/** Whether the first targets are vertices: a weighted 64-bit ECL file and a Vite file can have the same length. */
function targetsFit(file: StoredFile, { targets, arcs, vertices }: CsrLayout): boolean {
  return numbers(file, targets, 0, Math.min(PROBE, arcs)).every((v) => v >= 0 && v < vertices)
}

function byExtension(file: StoredFile): DetectedFormat | null {
  const extension = extensionOf(file.name)
  const known = adjacencyFormats.find(({ extensions }) => extensions.includes(extension))
  if (known !== undefined && extension !== '.bin')
    return { format: known.format, reason: `the file's name ends in ${extension}` }
  return null
}

/** Headers of 32- and 64-bit counts have zero bytes near their start; no text has. */
function looksBinary(file: StoredFile): boolean {
  return file.head(64).includes(0)
}

function extensionOf(path: string): string {
  return extname(path.replace(/\.(gz|bgz)$/i, '')).toLowerCase()
}
