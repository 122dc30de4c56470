import { basename, extname } from 'node:path'
import { inputFailure, OTHER_FORMAT } from '../../base/failure.ts'
import type { FormatName } from '../../contract/jobs.ts'
import { MAX_VERTICES } from '../graph-reader.ts'
import { type CsrLayout, numbers } from './csr.ts'
import { edgeList } from './edge-list.ts'
import type { DetectedFormat, GraphFormat, WholeFormat } from './graph-format.ts'
import { refuseOtherFormat } from './other-formats.ts'
import { formatOf, textFormats, wholeFormat, wholeFormats } from './registry.ts'
import type { StoredFile } from './stored-file.ts'

/** Text that is looked at before the format is decided. */
export const SAMPLE_BYTES = 256 << 10
/** Bytes in which the root element of XML must begin. */
const XML_HEAD_BYTES = 64 << 10
/** Targets that are looked at where two layouts fit the same length. */
const PROBE = 1024

/**
 * Decides the format from the first lines of the text; the file's name is asked last. A damaged file
 * keeps its format, whose reader reports the fault. What nothing speaks for is an edge list.
 * @param sample the first bytes of the text (decompressed, without byte order mark)
 * @param complete whether the sample is all of it
 * @throws Failure (input) when this is no text, or of a format that is not read.
 */
export function detectFormat(sample: Uint8Array, complete: boolean, path: string): DetectedFormat {
  refuseOtherFormat(sample, path)
  refuseBinary(sample, path)
  const text = Buffer.from(sample).toString('latin1')
  for (const { name, recognise } of textFormats) {
    const reason = recognise?.(text, complete) ?? null
    if (reason !== null) return { format: name, reason }
  }
  return (
    byBeginOfName(textFormats, path) ??
    byEndOfName(textFormats, path) ?? { format: edgeList.name, reason: 'every line holds an edge' }
  )
}

function byBeginOfName(formats: readonly GraphFormat[], path: string): DetectedFormat | null {
  for (const { name, promisedBy } of formats)
    if (promisedBy?.begin !== undefined && basename(path).startsWith(promisedBy.begin))
      return { format: name, reason: `the file's name begins with ${promisedBy.begin}` }
  return null
}

function byEndOfName(formats: readonly GraphFormat[], path: string): DetectedFormat | null {
  const end = extensionOf(path)
  const format = formats.find(({ promisedBy }) => promisedBy?.ends?.includes(end) === true)
  return format === undefined ? null : { format: format.name, reason: `the file's name ends in ${end}` }
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
        'Is it of a binary format whose header is damaged, or that has none? Text must be UTF-8, plain or gzip.',
        [OTHER_FORMAT],
      )
  }
}

/** The format of a file that is no text in lines; null for text, and for bytes that no format explains. */
export function detectWhole(file: StoredFile): DetectedFormat | null {
  return detectBinary(file) ?? detectXml(file.head(XML_HEAD_BYTES), file.name)
}

/**
 * Decides whether a file is of a binary format: by its magic, by lengths and offsets that fit its header, and only then by
 * its name.
 */
export function detectBinary(file: StoredFile): DetectedFormat | null {
  const head = file.head(64)
  for (const format of wholeFormats) {
    const reason = magicReason(format, head) ?? format.recognise?.(file) ?? null
    if (reason !== null) return { format: format.name, reason }
  }
  // Headers of 32- and 64-bit counts have zero bytes near their start; no text has.
  if (!head.includes(0)) return null
  return byLayout(file) ?? byEndOfName(wholeFormats.filter(isAdjacency), file.name)
}

/** A format by its first bytes. */
export function detectMagic(head: Uint8Array): DetectedFormat | null {
  for (const format of wholeFormats) {
    const reason = magicReason(format, head)
    if (reason !== null) return { format: format.name, reason }
  }
  return null
}

function magicReason({ magic }: WholeFormat, head: Uint8Array): string | null {
  if (magic === undefined || Buffer.from(head.subarray(0, magic.length)).toString('latin1') !== magic) return null
  return `it begins with ${magic}`
}

const isAdjacency = ({ layout }: WholeFormat): boolean => layout !== undefined

function byLayout(file: StoredFile): DetectedFormat | null {
  const fitting = wholeFormats.flatMap(({ name, promisedBy, sharedEnds = [], layout }) => {
    const fits = layout?.(file) ?? null
    const ends = [...sharedEnds, ...(promisedBy?.ends ?? [])]
    return fits !== null && targetsFit(file, fits) ? [{ name, ends, layout: fits }] : []
  })
  const end = extensionOf(file.name)
  const best = fitting.find(({ ends }) => ends.includes(end)) ?? fitting[0]
  if (best === undefined) return null
  const { vertices, arcs } = best.layout
  const others = fitting.length > 1 ? ', and the name speaks for it' : ''
  return { format: best.name, reason: `${vertices} vertices and ${arcs} arcs explain its length${others}` }
}

/** Whether the first targets are vertices: a weighted 64-bit ECL file and a Vite file can have the same length. */
function targetsFit(file: StoredFile, { targets, arcs, vertices }: CsrLayout): boolean {
  return numbers(file, targets, 0, Math.min(PROBE, arcs)).every((v) => v >= 0 && v < vertices)
}

/** Where a file of a binary adjacency format keeps its arrays; null for other formats, and where header and length do not fit. */
export function csrLayout(format: FormatName, file: StoredFile): CsrLayout | null {
  const layout = wholeFormat(format)?.layout?.(file) ?? null
  return layout !== null && layout.vertices <= MAX_VERTICES ? layout : null
}

/** XML by its root element, before which there may be comments and a document type; else by a name that promises it. */
export function detectXml(head: Uint8Array, name: string): DetectedFormat | null {
  const formats = wholeFormats.filter(({ root }) => root !== undefined)
  const text = Buffer.from(head.subarray(0, XML_HEAD_BYTES))
    .toString('utf8')
    .replace(/<!--[\s\S]*?-->/g, '')
  const roots = new RegExp(`<(?:[\\w.-]+:)?(${formats.map(({ root }) => root).join('|')})[\\s>/]`)
  const found = /^\ufeff?\s*</.test(text) ? roots.exec(text)?.[1] : undefined
  const format = formats.find(({ root }) => root === found)
  if (format !== undefined) return { format: format.name, reason: `its root element is ${format.root}` }
  return byEndOfName(formats, name)
}

/** Whether a format is read by position, not line by line. */
export const isWhole = (format: FormatName): boolean => formatOf(format).kind === 'whole'

function extensionOf(path: string): string {
  return extname(path.replace(/\.(gz|bgz)$/i, '')).toLowerCase()
}
