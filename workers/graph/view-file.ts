import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { checksumOf } from '../file-bytes.ts'
import { VIEW_HEADER_BYTES } from '../jobs.ts'
import type { OrientedView } from './oriented-view.ts'
import { HEAD_WIDTH } from './oriented-view.ts'
import type { SectionReader, ViewSection } from './section-file.ts'
import { SectionFile } from './section-file.ts'
import { writeAside } from '../base/write-aside.ts'

export type { SectionReader, ViewSection }

/**
 * A view on disk: 4096 bytes of JSON header padded with spaces, then the slabs, little-endian u32. Of the n - f vertices behind the
 * front: heads, tail offsets (n - f + 1, modulo 2^32: they never descend), tails, and which vertex stands where (`behind`); then a bit
 * for each vertex of the graph, whether it stands at the front (`frontBits`). The header names the graph by checksum, so a view of another
 * graph or order is never taken for this one. Views in the graph's own order have no front, and the last two sections are empty. The tails of
 * `weight-levels` begin at a page, as they are read in pages; their order is that of view-levels.ts.
 */
export { VIEW_HEADER_BYTES }
const viewKinds = ['oriented', 'weight-ordered', 'weight-levels'] as const
export type ViewKind = (typeof viewKinds)[number]
const formats = {
  oriented: 'anticlique oriented view 3',
  'weight-ordered': 'anticlique weight-ordered view 2',
  'weight-levels': 'anticlique weight-levels view 1',
} as const

/** The format that views of a kind have in this version. */
export const viewFormat = (kind: ViewKind): string => formats[kind]

/** What a disk moves at least. */
const PAGE_BYTES = 4096

export interface ViewHeader {
  readonly format: string
  /** SHA-256 of the canonical graph. */
  readonly graph: string
  /** What the vertices are ranked by: "ecl-0", "column-<checksum>-0"; for a weight-ordered view its order of edges. */
  readonly order: string
  readonly headWidth: number
  readonly vertices: number
  readonly tailEntries: number
  /** Vertices without entries, which stand in front of all others. */
  readonly front: number
  /** Entries in the tails of lists that do not begin with a vertex of the front; of `weight-levels`, those in levels. */
  readonly openTails: number
  readonly heads: ViewSection
  readonly tailOffsets: ViewSection
  readonly tails: ViewSection
  readonly behind: ViewSection
  readonly frontBits: ViewSection
}

/** The sections of a view, in the order of the file. */
const viewSlabs = ['heads', 'tailOffsets', 'tails', 'behind', 'frontBits'] as const
export type ViewSlab = (typeof viewSlabs)[number]

const bytesOf = (words: Uint32Array): Uint8Array => new Uint8Array(words.buffer, words.byteOffset, words.byteLength)

/** What the sizes of a view's sections follow from. */
export interface ViewSizes {
  readonly kind: ViewKind
  readonly vertices: number
  readonly front: number
  readonly tailEntries: number
}

/** Bytes that a view of this size takes on disk; of an oriented view, at most, where the front is not known. */
export function viewBytes(vertices: number, tailEntries: number, kind: ViewKind = 'oriented', front = 0): number {
  const { frontBits } = viewSections({ kind, vertices, front, tailEntries })
  return frontBits.at + frontBits.bytes
}

/** Where the slabs of a view of this size lie, with their CRC-32 in the order of the file. */
export function viewSections(
  { kind, vertices, front, tailEntries }: ViewSizes,
  checksums: readonly number[] = [],
): Record<ViewSlab, ViewSection> {
  let end = VIEW_HEADER_BYTES
  const section = (words: number, slab: number, align = 1): ViewSection => {
    const at = align * Math.ceil(end / align)
    end = at + 4 * words
    return { at, bytes: 4 * words, crc32: checksums[slab] ?? 0 }
  }
  const count = vertices - front
  return {
    heads: section(HEAD_WIDTH * count, 0),
    tailOffsets: section(count + 1, 1),
    tails: section(tailEntries, 2, kind === 'weight-levels' ? PAGE_BYTES : 1),
    behind: section(kind === 'oriented' ? count : 0, 3),
    frontBits: section(kind === 'oriented' ? Math.ceil(vertices / 32) : 0, 4),
  }
}

export interface ViewIdentity extends ViewSizes {
  readonly graph: string
  readonly order: string
  readonly openTails: number
}

/** The header of a view as it stands in the file; `checksums` are those of the slabs, in the order of the file. */
export function encodeViewHeader(of: ViewIdentity, checksums: readonly number[]): Uint8Array {
  const { kind, graph, order, vertices, front, tailEntries, openTails } = of
  const header: ViewHeader = {
    format: formats[kind],
    graph,
    order,
    headWidth: HEAD_WIDTH,
    vertices,
    front,
    tailEntries,
    openTails,
    ...viewSections(of, checksums),
  }
  return Buffer.from(JSON.stringify(header).padEnd(VIEW_HEADER_BYTES))
}

/** Writes an oriented view aside, flushes it and renames it. @throws Failure (storage) when the disk is full. */
export function writeView(path: string, graph: string, order: string, view: OrientedView): void {
  const { vertices, front, openTails, tails, heads, behind, frontBits } = view
  const slabs = [heads, view.tailOffsets.subarray(front), tails, behind, frontBits].map(bytesOf)
  const sizes = { vertices, front, tailEntries: tails.length, openTails }
  const header = encodeViewHeader(
    { kind: 'oriented', graph, order, ...sizes },
    slabs.map((bytes) => checksumOf(bytes)),
  )
  writeAside(path, [header, ...slabs])
}

/** A view file that is open. */
export class ViewFile extends SectionFile {
  readonly header: ViewHeader

  private constructor(path: string, file: number, header: ViewHeader) {
    super(path, file)
    this.header = header
  }

  /** Opens the view if it is there, whole, and of this graph, order and kind; else undefined. */
  static openIfValid(path: string, graph: string, order: string, kind: ViewKind = 'oriented'): ViewFile | undefined {
    const view = ViewFile.open(path)
    if (view?.kind === kind && view.header.graph === graph && view.header.order === order) return view
    view?.close()
    return undefined
  }

  /** Opens a view of any graph and order; undefined where there is none, or none that is whole by its header and length. */
  static open(path: string): ViewFile | undefined {
    if (!existsSync(path)) return undefined
    const file = openSync(path, 'r')
    const header = readHeader(file)
    if (header !== undefined && isWhole(header, fstatSync(file).size)) return new ViewFile(path, file, header)
    closeSync(file)
    return undefined
  }

  get kind(): ViewKind {
    return kindOf(this.header)!
  }

  /** The slabs, in the order of the file. */
  get sections(): ViewSection[] {
    return viewSlabs.map((slab) => this.header[slab])
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

function kindOf({ format }: ViewHeader): ViewKind | undefined {
  return viewKinds.find((kind) => formats[kind] === format)
}

/** Whether the header is one of ours and the file has exactly the sections that it must have. */
function isWhole(header: ViewHeader, fileBytes: number): boolean {
  const kind = kindOf(header)
  if (kind === undefined || header.headWidth !== HEAD_WIDTH) return false
  const { vertices, front, tailEntries } = header
  const sections = viewSections({ kind, vertices, front, tailEntries })
  return (
    viewSlabs.every((slab) => header[slab]?.at === sections[slab].at && header[slab].bytes === sections[slab].bytes) &&
    fileBytes === sections.frontBits.at + sections.frontBits.bytes
  )
}
