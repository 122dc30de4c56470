import { Failure, inputFailure } from '../base/failure.ts'
import { preparingBytes } from '../base/host-resources.ts'
import { piecesOf } from '../base/sums.ts'
import type { FormatName, ImportArgs, PlanStep } from '../contract/jobs.ts'
import { mayBeAdjacency } from './formats/binary-graphs.ts'
import { mayBeCanonical } from './formats/csr.ts'
import { detectFormat, detectMagic, detectText, detectWhole, hasCounts, packedAdjacency } from './formats/detect.ts'
import type { WholeFormat } from './formats/graph-format.ts'
import { formatOf, linesAreEdges, listsBothDirections, wholeFormat } from './formats/registry.ts'
import { StoredFile } from './formats/stored-file.ts'
import { COPIED_FROM_ARCS, entryBytes } from './import-resources.ts'
import { grLayout } from '../graph/graph-file.ts'
import { PLAIN_TEXT, recoded, textFormOf, unpackedStart } from './text-source.ts'
import { requireSpace } from './write-dataset.ts'

/** What a graph file will come to, by its header and a sample. */
export interface FileEstimate {
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
/** Of a compressed file; zlib makes at most 1,032 bytes of one. */
const MOST_UNPACKED_BYTES = SAMPLES * SAMPLE_BYTES

/** @throws Failure (input) for a file that cannot be read or is no graph. */
export function sampleGraphFile(path: string, format?: FormatName): FileEstimate {
  const file = StoredFile.open(path)
  try {
    const head = file.head(SAMPLE_BYTES)
    if (file.isGzip) return zippedEstimate(file, head, format)
    const known = format ?? detectWhole(file)?.format
    const whole = known === undefined ? null : wholeFormat(known)
    const layout = whole?.layout?.(file) ?? null
    if (layout !== null) {
      const copied = layout.arcs >= COPIED_FROM_ARCS && mayBeCanonical(file, layout)
      return {
        format: whole!.name,
        vertices: layout.vertices,
        entries: layout.arcs,
        // A directed graph gets as many arcs again.
        arcs: copied ? layout.arcs : 2 * layout.arcs,
        weighted: layout.weights !== null,
        // A few arcs promise nothing for the others.
        exact: !copied,
        counted: true,
        copied,
        basis: copied ? 'the header, and arcs all over the file, which has them in both directions' : 'the header',
      }
    }
    if (whole !== null) return wholeEstimate(whole, file, file.bytes, whole.layout !== undefined)
    const complete = file.bytes <= SAMPLE_BYTES
    const form = textFormOf(head)
    if (form === PLAIN_TEXT) return textEstimate(path, format, samplesOf(file), file.bytes, complete)
    const text = recoded(head, form)
    return textEstimate(path, format, [text], (text.length / head.length) * file.bytes, complete)
  } finally {
    file.close()
  }
}

/** @throws Failure (input) where counts and offsets do not fit the format */
function wholeEstimate(
  { name: format, stated }: WholeFormat,
  file: StoredFile,
  unpackedBytes: number,
  misfits: boolean,
): FileEstimate {
  if (misfits) throw file.broken(`the header of this file does not fit the format ${format}`)
  if (stated === undefined) return sizeEstimate(format, unpackedBytes)
  const { vertices, entries, weighted } = stated(file.name)
  const counted = { vertices, entries, weighted, arcs: 2 * entries, exact: true, counted: true }
  return { format, ...counted, basis: 'the file beside it' }
}

/** No entry takes less than four bytes. */
function sizeEstimate(format: FormatName, unpackedBytes: number): FileEstimate {
  const entries = Math.ceil(unpackedBytes / 4)
  const basis = 'the size alone, at four bytes an entry'
  const most = { vertices: entries, entries, arcs: 2 * entries, weighted: true }
  return { format, ...most, exact: false, counted: false, basis }
}

/** Taken to be compressed as far as its start. */
function zippedEstimate(file: StoredFile, head: Uint8Array, format: FormatName | undefined): FileEstimate {
  const { text: bytes, stored, isDamaged } = unpackedStart(head, MOST_UNPACKED_BYTES)
  if (isDamaged) throw inputFailure(file.name, 'the gzip data are damaged', 'Download or copy it again.')
  const complete = stored === file.bytes
  const form = textFormOf(bytes)
  const text = form === PLAIN_TEXT ? bytes : recoded(bytes, form)
  const name = format ?? zippedFormat(file.name, bytes, text, complete)
  const whole = name === null ? null : wholeFormat(name)
  const misfits = whole?.layout !== undefined && !mayBeAdjacency(bytes, complete)
  if (whole !== null) return wholeEstimate(whole, file, (bytes.length / stored) * file.bytes, misfits)
  return textEstimate(file.path, format, [text], (text.length / stored) * file.bytes, complete)
}

/** null for text in lines */
function zippedFormat(name: string, bytes: Uint8Array, text: Uint8Array, complete: boolean): FormatName | null {
  const known = detectMagic(bytes, name) ?? detectText(text, name)
  if (known !== null) return known.format
  return hasCounts(text) ? packedAdjacency(name, bytes, complete) : null
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
  const range = seen.largest - seen.smallest + 1
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
/** Of an import's memory, for the entries of plain lines. */
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
