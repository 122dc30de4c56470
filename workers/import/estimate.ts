/**
 * What a graph file will come to, before it is read: vertices, entries and weights by its header, else by a few samples spread over the text;
 * and from that the memory and disk of an import, with the refusal where these are short. Compressed files are unpacked as far as samples need.
 * Estimates are marked as such; what cannot be sampled is left to the import. reading/known-file.ts tells what the file is, jobs/plan.ts shows
 * what it will come to.
 */

import { Failure, inputFailure } from '../base/failure.ts'
import { piecesOf } from '../base/sums.ts'
import type { FormatName, ImportArgs, PlanStep } from '../contract/jobs.ts'
import { mayBeAdjacency } from './formats/binary-graphs.ts'
import { type CsrLayout, mayBeCanonical } from './formats/csr.ts'
import { packedAdjacency } from './formats/detect.ts'
import type { WholeFormat } from './formats/graph-format.ts'
import { formatOf, linesAreEdges, listsBothDirections, wholeFormat } from './formats/registry.ts'
import { StoredFile } from './formats/stored-file.ts'
import { COPIED_FROM_ARCS, entryBytes } from './reader/import-resources.ts'
import { grLayout } from '../graph/graph-file.ts'
import { areLines, type KnownFile, KnownFiles, type KnownLines } from './reading/known-file.ts'
import { PLAIN_TEXT, recoded, unpackedStart } from './reader/text-source.ts'
import { requireSpace } from './build/write-dataset.ts'

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
/** The most bytes that samples of a compressed file unpack to; zlib makes at most 1,032 bytes of one. */
const MOST_UNPACKED_BYTES = SAMPLES * SAMPLE_BYTES

/** What a known file will come to. @throws Failure (input) for one that cannot be read, or whose header fits no graph */
export function sampleGraphFile(known: KnownFile): FileEstimate {
  const file = StoredFile.open(known.source)
  try {
    const start = startOf(file, known)
    if (areLines(known)) return textEstimate(known, file, start)
    const { bytes, stored } = start
    const name = known.format ?? packedAdjacency(file.name, bytes, stored === file.bytes)
    if (name === null) throw file.broken('the file is binary and compressed, and its beginning fits no graph')
    return wholeEstimate(wholeFormat(name)!, file, start)
  } finally {
    file.close()
  }
}

type Start = ReturnType<typeof startOf>

/** The first bytes, unpacked, and of how many stored bytes these are. */
function startOf(file: StoredFile, { compression }: KnownFile) {
  const head = file.head(SAMPLE_BYTES)
  if (compression === 'none') return { bytes: head, stored: head.length }
  const { text: bytes, stored, isDamaged } = unpackedStart(head, MOST_UNPACKED_BYTES)
  if (isDamaged) throw inputFailure(file.name, 'the gzip data are damaged', 'Download or copy it again.')
  return { bytes, stored }
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

function textEstimate({ format, compression, start }: KnownLines, file: StoredFile, head: Start): FileEstimate {
  const { bytes, stored } = head
  const { form } = start
  const text = form === PLAIN_TEXT ? bytes : recoded(bytes, form)
  const samples = compression === 'none' && form === PLAIN_TEXT ? samplesOf(file) : [text]
  const first = samples[0]!
  const complete = stored === file.bytes
  // Taken to be compressed as far as its start.
  const textBytes = (text.length / stored) * file.bytes
  const stated = statedSize(format, first)
  if (stated !== null) return { format, ...stated, exact: true, counted: true, basis: 'the header' }
  const seen = new LineStatistics()
  for (const sample of samples) seen.read(sample)
  // A long comment at the top.
  if (seen.entries === 0) return sizeEstimate(format, textBytes)
  const entries = Math.ceil((seen.entries * textBytes) / Math.max(1, seen.bytes))
  const descriptor = formatOf(format)
  const isBipartite =
    descriptor.kind === 'text' && descriptor.hasTwoSides?.(Buffer.from(first.subarray(0, 64)).toString('latin1'))
  const range = (seen.largest - seen.smallest + 1) * (isBipartite === true ? 2 : 1)
  // Larger ids may lie between the samples.
  const vertices = Math.min(2 * entries, seen.hasText || range < 0 ? Infinity : Math.ceil(range * (complete ? 1 : 1.1)))
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

/** What the files of an import will come to; null for one that cannot be sampled, which is left to the import. */
export async function sampleGraphFiles(
  args: Pick<ImportArgs, 'source' | 'sources' | 'format' | 'table'>,
  files = new KnownFiles(args),
): Promise<(FileEstimate | null)[]> {
  const sizes = []
  for (const later of [null, ...(args.sources ?? [])])
    try {
      sizes.push(sampleGraphFile(await (later === null ? files.first() : files.later(later))))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      sizes.push(null)
    }
  return sizes
}

/** @param folder of datasets @param mayCopy false where a file that looked canonical is not @throws Failure (storage) with both figures */
export function requireRoomForImport(
  sizes: readonly (FileEstimate | null)[],
  memoryBytes: number,
  folder: string,
  mayCopy = true,
): void {
  let neededBytes = 0
  for (const size of sizes) {
    if (size?.counted !== true) return
    const isCopied = size.copied === true && mayCopy && sizes.length === 1
    const { scratchBytes, diskBytes } = importStep(isCopied ? size : readByEntry(size), memoryBytes)
    neededBytes += scratchBytes + diskBytes
  }
  requireSpace(folder, neededBytes, (bytes) => `importing this needs up to ${bytes} of disk`, 'written')
}

/** What looked canonical may be any graph: a directed one gets as many arcs again. */
const readByEntry = (file: FileEstimate): FileEstimate =>
  file.copied === true ? { ...file, copied: false, arcs: 2 * file.entries } : file
