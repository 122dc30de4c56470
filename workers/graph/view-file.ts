import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Failure } from '../failure.ts'
import { asFailure, inputFailure } from '../failure.ts'
import { readFully } from './galois-gr.ts'
import type { OrientedView } from './oriented-view.ts'
import { HEAD_WIDTH } from './oriented-view.ts'

/**
 * A view on disk: 4096 bytes of JSON header padded with spaces, then the slabs, little-endian u32: heads, tail offsets
 * (n + 1), tails, positions. The header names the graph by checksum, so a view of another graph or order is never taken for this one.
 */
export const VIEW_HEADER_BYTES = 4096
const VIEW_FORMAT = 'anticlique oriented view 2'

export interface ViewSection {
  readonly at: number
  readonly bytes: number
  readonly crc32: number
}

export interface ViewHeader {
  readonly format: string
  /** SHA-256 of the canonical graph. */
  readonly graph: string
  /** What the vertices are ranked by: "ecl-0", "column-<checksum>-0". */
  readonly order: string
  readonly headWidth: number
  readonly vertices: number
  readonly tailEntries: number
  readonly heads: ViewSection
  readonly tailOffsets: ViewSection
  readonly tails: ViewSection
  readonly positions: ViewSection
}

const bytesOf = (words: Uint32Array): Uint8Array => new Uint8Array(words.buffer, words.byteOffset, words.byteLength)

/** Bytes that a view of this size takes on disk. */
export function viewBytes(vertices: number, tailEntries: number): number {
  return VIEW_HEADER_BYTES + 4 * (HEAD_WIDTH * vertices + vertices + 1 + tailEntries + vertices)
}

/** Writes a view aside, flushes it and renames it. @throws Failure (storage) when the disk is full. */
export function writeView(path: string, graph: string, order: string, view: OrientedView): void {
  const slabs = [bytesOf(view.heads), bytesOf(view.tailOffsets), bytesOf(view.tails), bytesOf(view.positions)] as const
  let at = VIEW_HEADER_BYTES
  const sections = slabs.map((bytes): ViewSection => {
    const section = { at, bytes: bytes.length, crc32: crc32(bytes) }
    at += bytes.length
    return section
  })
  const header: ViewHeader = {
    format: VIEW_FORMAT,
    graph,
    order,
    headWidth: HEAD_WIDTH,
    vertices: view.vertices,
    tailEntries: view.tails.length,
    heads: sections[0]!,
    tailOffsets: sections[1]!,
    tails: sections[2]!,
    positions: sections[3]!,
  }
  writeAside(path, [Buffer.from(JSON.stringify(header).padEnd(VIEW_HEADER_BYTES)), ...slabs])
}

/** Writes the chunks one after another into a file beside `path`, flushes it, and gives it its name. */
export function writeAside(path: string, chunks: Iterable<Uint8Array>): void {
  const aside = `${path}.partial-${process.pid}-${Date.now().toString(36)}`
  try {
    mkdirSync(dirname(path), { recursive: true })
    const file = openSync(aside, 'wx')
    try {
      for (const chunk of chunks) for (let at = 0; at < chunk.length;) at += writeSync(file, chunk, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(aside, path)
  } catch (error) {
    rmSync(aside, { force: true })
    throw asFailure(error, path)
  }
}

/** Fills `bytes` from byte `at` of a section on. */
export type SectionReader = (at: number, bytes: Uint8Array) => void

/** Small enough to stay in the processor's cache between reading, checking and copying. */
const SCRATCH_BYTES = 1 << 20

/** A view file that is open; sections are read in ranges straight into the caller's memory. */
export class ViewFile {
  readonly header: ViewHeader
  readonly path: string
  readonly #file: number
  #bytesRead = 0

  private constructor(path: string, file: number, header: ViewHeader) {
    this.path = path
    this.#file = file
    this.header = header
  }

  /** Opens the view if it is there and is of this graph and order; else undefined. */
  static openIfValid(path: string, graph: string, order: string): ViewFile | undefined {
    if (!existsSync(path)) return undefined
    const file = openSync(path, 'r')
    const header = readHeader(file)
    const valid = header?.format === VIEW_FORMAT && header.headWidth === HEAD_WIDTH
    if (valid && header.graph === graph && header.order === order) return new ViewFile(path, file, header)
    closeSync(file)
    return undefined
  }

  get bytesRead(): number {
    return this.#bytesRead
  }

  /** Reads `bytes.length` bytes at `at` of a section. */
  read(section: ViewSection, at: number, bytes: Uint8Array): void {
    readFully(this.#file, bytes, section.at + at, this.path)
    this.#bytesRead += bytes.length
  }

  /** A reader of one section that checks the section's CRC-32 once it was read from its start to its end in order. */
  checkedReader(section: ViewSection): SectionReader {
    const scratch = Buffer.allocUnsafe(SCRATCH_BYTES)
    let seen = 0
    let value = 0
    return (at, bytes) => {
      for (let done = 0; done < bytes.length; done += SCRATCH_BYTES) {
        const part = scratch.subarray(0, Math.min(SCRATCH_BYTES, bytes.length - done))
        this.read(section, at + done, part)
        // Not from `bytes`: it may be memory that is slow to read back, mapped for a device.
        bytes.set(part, done)
        if (at + done !== seen) continue
        value = crc32(part, value)
        seen += part.length
        if (seen === section.bytes && value !== section.crc32) throw this.#damaged()
      }
    }
  }

  #damaged(): Failure {
    return inputFailure(
      this.path,
      'the view is damaged: its checksum does not match',
      'Delete this file; it is built again at need.',
    )
  }

  close(): void {
    closeSync(this.#file)
  }
}

function readHeader(file: number): ViewHeader | undefined {
  const bytes = Buffer.alloc(VIEW_HEADER_BYTES)
  if (readSync(file, bytes, 0, VIEW_HEADER_BYTES, 0) < VIEW_HEADER_BYTES) return undefined
  try {
    return JSON.parse(bytes.toString('utf8')) as ViewHeader
  } catch {
    return undefined
  }
}
