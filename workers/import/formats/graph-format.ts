import type { FormatName, GraphExportFormat, WeightRule } from '../../contract/jobs.ts'
import type { GraphReader, ReaderContext, ReadOutcome, TextIdsFound } from '../graph-reader.ts'
import type { CsrLayout } from './csr.ts'
import type { BinaryContext, StoredFile } from './stored-file.ts'

/** What a file was found to be. */
export interface DetectedFormat {
  readonly format: FormatName
  /** For the log: what spoke for it. */
  readonly reason: string
}

/** What people read about a format in docs/formats.md. */
interface FormatWords {
  readonly files: string
  readonly recognisedBy: string
  /** Which vertices there are, and what their ids are. */
  readonly vertices: string
  /** Layout, and what differs between programs; in Markdown. */
  readonly notes?: readonly string[]
}

interface FormatBase {
  readonly name: FormatName
  readonly words: FormatWords
  /** Names under which workers/export/formats writes it. */
  readonly written: readonly GraphExportFormat[]
  /** Beginnings and ends of names that decide where nothing in the file does. */
  readonly promisedBy?: { readonly begin?: string; readonly ends?: readonly string[] }
  /** A label is its internal id plus this. */
  readonly firstId?: 1
}

/** What a header states. */
export interface StatedSize {
  readonly vertices: number
  readonly entries: number
  readonly weighted: boolean
}

/** Text in lines. */
export interface TextFormat extends FormatBase {
  readonly kind: 'text'
  /** Why a text is of this format, damaged or not: its reader reports the fault. */
  recognise?(text: string, complete: boolean): string | null
  /** The counts in its header. */
  stated?(lines: readonly string[]): StatedSize | null
  /** @param text what made an earlier reading stop, when all ids are to be texts */
  open(context: ReaderContext, sample: Uint8Array, text: TextIdsFound | null): GraphReader
  /** What is done to weights where the user chose no rule. */
  readonly weights?: { readonly rule: WeightRule; readonly zeroMeansPattern: boolean }
  /** Every line is an edge: several files can be one graph, and threads parse lines in any order. */
  readonly linesAreEdges?: true
  /** Lines are shown as fields; of a `table` columns can be chosen. */
  readonly shownAs?: 'table' | 'fields'
  /** The file is to hold both directions of an edge: one alone is worth a warning. */
  readonly listsBothDirections?: true
}

/** Names of all columns, and the first rows, as texts. */
export interface FirstRows {
  readonly names: string[]
  readonly rows: string[][]
}

/** A format read by position: binary, columnar, or XML. */
export interface WholeFormat extends FormatBase {
  readonly kind: 'whole'
  /** First bytes, as latin1, that no other file has. */
  readonly magic?: string
  /** The root element, of XML. */
  readonly root?: string
  /** What else speaks for it. */
  recognise?(file: StoredFile): string | null
  /** Ends of names that other formats have too: they decide only between layouts that fit. */
  readonly sharedEnds?: readonly string[]
  /** Where the arrays of a binary adjacency file are; null where header and length do not fit. */
  layout?(file: StoredFile): CsrLayout | null
  /** Reads a whole file into `context.output`. @throws Failure (input) at the file; DamagedFile */
  read(file: StoredFile, context: BinaryContext): Promise<ReadOutcome>
  /** Rows for a preview, where columns have names. @throws DamagedFile */
  firstRows?(file: StoredFile, most: number): Promise<FirstRows>
  /** Larger files are not previewed: the reader goes through them before the first edge. */
  readonly mostPreviewBytes?: number
}

/** All that the program knows of a file format; CONTRIBUTING.md says how to add one. */
export type GraphFormat = TextFormat | WholeFormat
