import type { FormatName, TableOptions, WeightRule } from '../../contract/jobs.ts'
import type { GraphReader, ReaderContext, TextId, WholeReading } from '../reader/graph-reader.ts'
import type { CsrLayout } from './csr.ts'
import type { StoredFile } from './stored-file.ts'
import type { TableShape } from './table-shape.ts'

export interface DetectedFormat {
  readonly format: FormatName
  /** For the log. */
  readonly reason: string
}

interface FormatBase {
  readonly name: FormatName
  /** Beginnings and ends of names that decide where nothing in the file does. */
  readonly promisedBy?: { readonly begin?: string; readonly ends?: readonly string[] }
  /** A label is its internal id plus this. */
  readonly firstId?: 1
  /** Whether lines about vertices hold values of their own, which a second reading hands to `context.vertexTap`. */
  hasVertexValues?(head: string): boolean
  /** What becomes of weights if the user chose no rule. */
  readonly weights?: { readonly rule: WeightRule; readonly zerosAreNone: boolean }
}

/** The size that a header states. */
interface StatedSize {
  readonly vertices: number
  readonly entries: number
  readonly weighted: boolean
}

export interface TextFormat extends FormatBase {
  readonly kind: 'text'
  /** Why a text is of this format, damaged or not. */
  recognise?(text: string, complete: boolean): string | null
  stated?(lines: readonly string[]): StatedSize | null
  /** Whether both ends of an edge count vertices of their own. */
  hasTwoSides?(head: string): boolean
  /** How a table is cut, by whole lines of its beginning, or all of them: asked once of each file. */
  shapeOf?(lines: Uint8Array, table: TableOptions | undefined, complete: boolean): TableShape
  /** @param text what stopped an earlier reading: all ids are to be texts @param shape of a table */
  open(context: ReaderContext, text: TextId | null, shape: TableShape | null): GraphReader
  /** Behind a header that counts the vertices each line may be an edge. */
  readonly hasHeader?: true
  /** How previews show it. A line of a `table` is an edge, and its columns can be chosen. */
  readonly shownAs?: 'table' | 'fields'
  /** One direction alone is worth a warning. */
  readonly listsBothDirections?: true
}

/** The columns that an edge has in every format of nodes and edges. */
export const END_NAMES = ['source', 'target'] as const

export type ElementValue = string | number | boolean

/** A node or an edge with its attributes; ids are among them, as `id`, `source` and `target`. */
export interface GraphElement {
  readonly kind: 'node' | 'edge'
  readonly values: ReadonlyMap<string, ElementValue>
  /** "graph.gml:17". */
  readonly place: string
}

/** Some that follow one another, and how many bytes of the file are read with them. */
interface ElementPiece {
  readonly elements: readonly GraphElement[]
  readonly readBytes: number
}

export type Elements = (file: StoredFile) => AsyncIterable<ElementPiece>

/** As texts. */
export interface FirstRows {
  readonly names: string[]
  readonly rows: string[][]
  /** The column of weights of formats whose edges have their ends by name; null: none. */
  readonly weight?: string | null
}

/** A cell of a columnar format. */
export type Cell = number | bigint | string | boolean | null | undefined | object

/** At most {@link PIECE_ROWS} rows that follow one another. */
interface RowPiece {
  readonly count: number
  /** Bytes of the file that were read, about. */
  readonly readBytes: number
  /** @throws Failure (input) */
  at(column: number, row: number): Cell
}

export const PIECE_ROWS = 1 << 16

/** Flat columns; close it in every case. */
export interface ColumnFile {
  readonly names: readonly string[]
  /**
   * @param limits `context`: its memory holds what is decoded at once; `most`: only the first rows are of use
   * @throws Failure (usage) for too little memory; (input)
   */
  rows(
    wanted: readonly number[],
    limits: { readonly context?: ReaderContext; readonly most?: number },
  ): AsyncIterable<RowPiece>
  close(): Promise<void> | void
}

/** Read by position: binary, columnar, or XML. */
export interface WholeFormat extends FormatBase {
  readonly kind: 'whole'
  /** Text, of which another encoding is read too. */
  readonly isText?: true
  /** How many graphs a file has, of which one is read by its number. */
  graphs?(file: StoredFile): number | Promise<number>
  /** Why a file is of this format, by its beginning: of text unpacked and as UTF-8, of others its first bytes as latin1. */
  recognise?(head: string, name: string): string | null
  /** Nodes and edges with their attributes, in the order of the file. */
  readonly elements?: Elements
  /** Shared with other formats: they decide only between layouts that fit. */
  readonly sharedEnds?: readonly string[]
  /** The size that a file beside it states. @throws Failure (input) at that */
  stated?(name: string): StatedSize
  /** What a file holds at most where an entry may take less than four bytes. @param head its beginning @param bytes of the whole file, unpacked */
  most?(head: string, bytes: number): Pick<StatedSize, 'vertices' | 'entries'>
  /** The layout of a binary adjacency file; null: header and length do not fit. */
  layout?(file: StoredFile): CsrLayout | null
  /** @throws Failure (input) at the file */
  read(file: StoredFile, context: ReaderContext): WholeReading
  /** For previews, where columns have names. @throws Failure (input) */
  firstRows?(file: StoredFile, most: number): Promise<FirstRows>
  /** The columns of columnar formats. @throws Failure (input) */
  columns?(file: StoredFile): Promise<ColumnFile>
  /** Larger files are not previewed: the first edge comes late. */
  readonly mostPreviewBytes?: number
}

/** CONTRIBUTING.md says how to add one. */
export type GraphFormat = TextFormat | WholeFormat

/** Whether threads may parse lines in any order: edges in rows, or behind a header that counts the vertices. */
export const hasEdgeLines = (format: GraphFormat): boolean =>
  format.kind === 'text' && (hasRows(format) || format.hasHeader === true)

/** Whether an edge is a row of columns, which may be bad or left out. */
export const hasRows = (format: GraphFormat): boolean =>
  format.kind === 'text' ? format.shownAs === 'table' : format.firstRows !== undefined
