/**
 * What a graph file will come to, before it is read: vertices, entries and weights by its header, else by a few samples spread over the text;
 * and from that the memory and disk of an import, with the refusal where these are short. Compressed files are unpacked as far as samples need.
 * Estimates are marked as such; what cannot be sampled is left to the import. jobs/plan.ts shows them.
 */

import { Failure, inputFailure } from '../base/failure.ts'
import { preparingBytes } from '../base/host-resources.ts'
import { piecesOf } from '../base/sums.ts'
import type { FormatName, ImportArgs, PlanStep } from '../contract/jobs.ts'
import { mayBeAdjacency } from './formats/binary-graphs.ts'
import { type CsrLayout, mayBeCanonical } from './formats/csr.ts'
import { detectFormat, detectMagic, detectText, detectWhole, hasCounts, packedAdjacency } from './formats/detect.ts'
import type { WholeFormat } from './formats/graph-format.ts'
import { formatOf, linesAreEdges, listsBothDirections, wholeFormat } from './formats/registry.ts'
import { StoredFile } from './formats/stored-file.ts'
import { COPIED_FROM_ARCS, entryBytes } from './reader/import-resources.ts'
import { grLayout } from '../graph/graph-file.ts'
import { PLAIN_TEXT, recoded, textFormOf, unpackedStart } from './reader/text-source.ts'
import { requireSpace } from './build/write-dataset.ts'

/** What a graph file will come to, by its header and a sample. */
interface FileEstimate {
  readonly format: FormatName
  /** An upper bound, unless exact. */
  readonly vertices: number
  readonly entries: number
  /** Directed arcs of the graph: an upper bound, unless `copied`. */
  readonly arcs: number
  readonly weighted: boolean
  /** Stated by a header. */
  readonly exact: boolean
  /** From a header or a sample, not just bounded by the size. */
  readonly counted: boolean
  /** An import would probably copy it. */
  readonly copied?: boolean
  readonly basis: string
}

const SAMPLE_BYTES = 256 << 10
/** Places looked at, evenly spread. */
const SAMPLES = 8
/** The most bytes that samples of a compressed file unpack to; zlib makes at most 1,032 bytes of one. */
const MOST_UNPACKED_BYTES = SAMPLES * SAMPLE_BYTES

/** @throws Failure (input) for a file that cannot be read or is no graph. */
export function sampleGraphFile(path: string, format?: FormatName): FileEstimate {
  const file = StoredFile.open(path)
  try {
    const start = startOf(file)
    const known = format ?? formatOfStart(file, start)
    const whole = known === null ? null : wholeFormat(known)
    if (whole !== null) return wholeEstimate(whole, file, start)
    const { stored, form, text } = start
    const samples = file.isGzip || form !== PLAIN_TEXT ? [text] : samplesOf(file)
    // Taken to be compressed as far as its start.
    return textEstimate(path, format, samples, (text.length / stored) * file.bytes, stored === file.bytes)
  } finally {
    file.close()
  }
}

type Start = ReturnType<typeof startOf>

/** The first bytes, unpacked, and as UTF-8. */
function startOf(file: StoredFile) {
  const head = file.head(SAMPLE_BYTES)
  const plain = { text: head, stored: head.length, isDamaged: false }
  const { text: bytes, stored, isDamaged } = file.isGzip ? unpackedStart(head, MOST_UNPACKED_BYTES) : plain
  if (isDamaged) throw inputFailure(file.name, 'the gzip data are damaged', 'Download or copy it again.')
  const form = textFormOf(bytes)
  return { bytes, stored, form, text: form === PLAIN_TEXT ? bytes : recoded(bytes, form) }
}

/** null for text in lines */
function formatOfStart(file: StoredFile, { bytes, text, stored }: Start): FormatName | null {
  const { name } = file
  const known = (file.isGzip ? detectMagic(bytes, name) : detectWhole(file)) ?? detectText(text, name)
  if (known !== null) return known.format
  return file.isGzip && hasCounts(text) ? packedAdjacency(name, bytes, stored === file.bytes) : null
}

/** @throws Failure (input) where counts and offsets do not fit the format */
function wholeEstimate(whole: WholeFormat, file: StoredFile, { bytes, stored }: Start): FileEstimate {
  const { name: format, stated } = whole
  const layout = file.isGzip ? null : (whole.layout?.(file) ?? null)
  if (layout !== null) return layoutEstimate(format, file, layout)
  if (whole.layout !== undefined && !(file.isGzip && mayBeAdjacency(bytes, stored === file.bytes)))
    throw file.broken(`the header of this file does not fit the format ${format}`)
  if (stated === undefined) {
    const unpacked = (bytes.length / stored) * file.bytes
    const most = whole.most?.(Buffer.from(bytes).toString('latin1'), unpacked)
    if (most === undefined) return sizeEstimate(format, unpacked)
    const arcs = Math.min(2 * most.entries, most.vertices * (most.vertices - 1))
    const basis = 'the vertices that the first lines name'
    return { format, ...most, arcs, weighted: false, exact: false, counted: false, basis }
  }
  const { vertices, entries, weighted } = stated(file.name)
  const counted = { vertices, entries, weighted, arcs: 2 * entries, exact: true, counted: true }
  return { format, ...counted, basis: 'the file beside it' }
}

function layoutEstimate(format: FormatName, file: StoredFile, layout: CsrLayout): FileEstimate {
  const { vertices, arcs } = layout
  const copied = arcs >= COPIED_FROM_ARCS && mayBeCanonical(file, layout)
  return {
    ...{ format, vertices, entries: arcs },
    // A directed graph gets as many arcs again.
    arcs: copied ? arcs : 2 * arcs,
    weighted: layout.weights !== null,
    // A few arcs promise nothing for the others.
    exact: !copied,
    ...{ counted: true, copied },
    basis: copied ? 'the header, and arcs all over the file, which has them in both directions' : 'the header',
  }
}

/** No entry takes less than four bytes. */
function sizeEstimate(format: FormatName, unpackedBytes: number): FileEstimate {
  const entries = Math.ceil(unpackedBytes / 4)
  const basis = 'the size alone, at four bytes an entry'
  const most = { vertices: entries, entries, arcs: 2 * entries, weighted: true }
  return { format, ...most, exact: false, counted: false, basis }
}

/** Each but the first starts with a line. */
function samplesOf(file: StoredFile): Uint8Array[] {
  if (file.bytes <= SAMPLES * SAMPLE_BYTES) return [file.head(file.bytes)]
  return Array.from({ length: SAMPLES }, (_, i) => {
    const at = Math.floor((i * (file.bytes - SAMPLE_BYTES)) / (SAMPLES - 1))
    const bytes = file.read(at, SAMPLE_BYTES)
    return i === 0 ? bytes : bytes.subarray(bytes.indexOf(10) + 1)
  })
}

function textEstimate(
  path: string,
  wanted: FormatName | undefined,
  samples: readonly Uint8Array[],
  textBytes: number,
  complete: boolean,
): FileEstimate {
  const first = samples[0]!
  const format = wanted ?? detectFormat(first.subarray(0, SAMPLE_BYTES), complete, path).format
  const stated = statedSize(format, first)
  if (stated !== null) return { format, ...stated, exact: true, counted: true, basis: 'the header' }
  const seen = new LineStatistics()
  for (const sample of samples) seen.read(sample)
  // A long comment at the top.
  if (seen.entries === 0) return sizeEstimate(format, textBytes)
  const entries = Math.ceil((seen.entries * textBytes) / Math.max(1, seen.bytes))
  const known = formatOf(format)
  const isBipartite =
    known.kind === 'text' && known.hasTwoSides?.(Buffer.from(first.subarray(0, 64)).toString('latin1'))
  const range = (seen.largest - seen.smallest + 1) * (isBipartite === true ? 2 : 1)
  // Larger ids may lie between the samples.
  const vertices = Math.min(2 * entries, seen.hasText ? Infinity : Math.ceil(range * (complete ? 1 : 1.1)))
  const basis = complete ? 'the whole file' : `a sample of ${seen.entries} lines`
  const size = { vertices, entries, arcs: 2 * entries, weighted: seen.weighted }
  return { format, ...size, exact: false, counted: true, basis }
}

function statedSize(
  format: FormatName,
  bytes: Uint8Array,
): Pick<FileEstimate, 'vertices' | 'entries' | 'arcs' | 'weighted'> | null {
  const known = formatOf(format)
  if (known.kind !== 'text') return null
  const lines = Buffer.from(bytes.subarray(0, 1 << 16))
    .toString('latin1')
    .split('\n')
  const size = known.stated?.(lines) ?? null
  return size === null ? null : { ...size, arcs: listsBothDirections(format) ? size.entries : 2 * size.entries }
}

class LineStatistics {
  bytes = 0
  entries = 0
  smallest = Infinity
  largest = -Infinity
  hasText = false
  weighted = false

  read(sample: Uint8Array): void {
    const end = sample.lastIndexOf(10) + 1
    const text = Buffer.from(sample.subarray(0, end === 0 ? sample.length : end)).toString('latin1')
    this.bytes += text.length
    for (const line of text.split('\n')) this.#line(line)
  }

  #line(line: string): void {
    if (/^\s*($|[#%]|\/\/)/.test(line)) return
    this.entries++
    const fields = line.trim().split(/[\s,;|]+/)
    if (fields.length > 2) this.weighted = true
    for (const field of fields.slice(0, 2)) {
      if (!/^"?\d{1,20}"?$/.test(field)) {
        // The names of columns are no ids.
        this.hasText ||= this.entries > 1
        continue
      }
      const id = Number(field.replaceAll('"', ''))
      if (id < this.smallest) this.smallest = id
      if (id > this.largest) this.largest = id
    }
  }
}

const buildBytes = (file: FileEstimate): number =>
  16 * file.vertices + 4 * file.entries * (file.weighted ? 8 : 4) + entryBytes(file.weighted) * file.entries
/** The share of an import's memory for the entries of plain lines. */
const LINES_SHARE = 1 / 4

const SUM_BYTES = 40
/** Report and headers. */
const OTHER_BYTES = 4096

/** A header that counts vertices makes labels unnecessary. */
function datasetBytes({ vertices, arcs, weighted, exact, copied }: FileEstimate): number {
  const { fileBytes } = grLayout(vertices, arcs, weighted)
  const labelBytes = exact || copied === true ? 0 : 8 * vertices
  return fileBytes + labelBytes + SUM_BYTES * piecesOf(fileBytes + labelBytes) + OTHER_BYTES
}

/**
 * Reading a file into the library: of all but lists of edges that fit in memory, first entries and buckets of both
 * directions are on disk, then buckets and graph.
 */
export function importStep(file: FileEstimate, budgetBytes: number): PlanStep {
  const diskBytes = datasetBytes(file)
  const entriesBytes = file.entries * entryBytes(file.weighted)
  const inMemory = linesAreEdges(file.format) && entriesBytes <= LINES_SHARE * budgetBytes
  const weightBytes = file.weighted ? 8 * file.entries : 0
  const scratchBytes =
    inMemory || file.copied === true ? 0 : Math.max(3 * entriesBytes - diskBytes, 2 * entriesBytes + weightBytes)
  const hostBytes = Math.min(buildBytes(file), budgetBytes)
  return { name: 'import', hostBytes, deviceBytes: 0, scratchBytes, diskBytes, passes: 1 }
}

/**
 * What cannot be sampled is left to the import. @param folder of datasets @param mayCopy false where a file that looked
 * canonical is not @throws Failure (storage) with both figures
 */
export function requireRoomForImport(
  { source, sources = [], format, memoryBytes = preparingBytes() }: RoomArgs,
  folder: string,
  mayCopy = true,
): void {
  let neededBytes = 0
  for (const file of [source, ...sources]) {
    const estimate = estimateOrNull(file, format)
    if (estimate?.counted !== true) return
    const isCopied = estimate.copied === true && mayCopy && sources.length === 0
    const { scratchBytes, diskBytes } = importStep(isCopied ? estimate : readByEntry(estimate), memoryBytes)
    neededBytes += scratchBytes + diskBytes
  }
  requireSpace(folder, neededBytes, (size) => `importing this needs up to ${size} of disk`, 'written')
}

type RoomArgs = Pick<ImportArgs, 'source' | 'sources' | 'format' | 'memoryBytes'>

/** What looked canonical may be any graph: a directed one gets as many arcs again. */
const readByEntry = (file: FileEstimate): FileEstimate =>
  file.copied === true ? { ...file, copied: false, arcs: 2 * file.entries } : file

function estimateOrNull(source: string, format: ImportArgs['format']): FileEstimate | null {
  try {
    return sampleGraphFile(source, format)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
