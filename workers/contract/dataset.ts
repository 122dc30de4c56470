import type { FailureValue } from '../base/failure.ts'
import type { GeneratorChoice } from './generators.ts'
import type { FormatName, MergeRule, TableOptions, WeightRule } from './graph-formats.ts'

export const attributeKinds = ['number', 'text', 'boolean'] as const
export type AttributeKind = (typeof attributeKinds)[number]
/** null where a vertex or an edge has none. */
export type AttributeValue = string | number | boolean | null

/** What is known of all vertices, or of all edges, beside their ids. */
export interface AttributeColumn {
  readonly name: string
  readonly kind: AttributeKind
  /** Rows that have a value. */
  readonly filled: number
}

/** Everything that import counted; a conserved sum: arcs = entries - loopsRemoved - duplicatesMerged + reverseArcsAdded. */
export interface ImportReport {
  readonly source: string
  readonly format: FormatName | 'generated' | 'sample'
  readonly compression: 'none' | 'gzip'
  /** Bytes of the source file as stored (compressed). */
  readonly sourceBytes: number
  readonly sourceSha256: string | null
  /** Lines of text, comments and blank ones included; 0 for generated graphs. */
  readonly lines: number
  /** Directed entries as they were read, before anything was removed or added. */
  readonly entries: number
  readonly loopsRemoved: number
  /** That repeat an arc. */
  readonly duplicatesMerged: number
  /** Arcs (u, v) added because only (v, u) was read. */
  readonly reverseArcsAdded: number
  readonly vertices: number
  /** Twice the undirected edges. */
  readonly arcs: number
  readonly isolatedVertices: number
  readonly labels: {
    readonly kind: 'dense' | 'integer' | 'text'
    readonly smallest: string | null
    readonly largest: string | null
  }
  /** Vertices 0 to left - 1, and `right` after them. Absent: not bipartite. */
  readonly sides?: { readonly left: number; readonly right: number } | undefined
  /** By the threshold (`where`); not among the entries. */
  readonly filtered?: number | undefined
  /** As `missingWeight` or `badRows` say; not among the entries. */
  readonly skipped?: number | undefined
  readonly weights: {
    readonly rule: WeightRule
    /** Absent: max. */
    readonly merge?: MergeRule | undefined
    readonly made: { readonly absolute: number; readonly dropped: number }
    /** Each weight w is scale * w + offset. Absent: w. */
    readonly map?: { readonly scale: 1 | -1; readonly offset: number } | undefined
    readonly smallest: number
    readonly largest: number
  } | null
  /** Absent where there are none. */
  readonly attributes?: Attributes | undefined
  readonly warnings: readonly string[]
  readonly elapsedMs: number
}

export interface Attributes {
  readonly vertices: readonly AttributeColumn[]
  readonly edges: readonly AttributeColumn[]
}

export interface DatasetFacts {
  readonly vertices: number
  readonly arcs: number
  readonly maxDegree: number
  readonly meanDegree: number
  readonly weighted: boolean
  readonly bytes: number
  readonly checksum: string
  readonly report: ImportReport
}

/** f32 pairs x, y by internal id. */
export const COORDINATES_FILE = 'coordinates'
/** In no order; the form of text labels. */
export const NAMES_FILE = 'names'
export const TILES_FOLDER = 'tiles'
/** JSON behind a checksum: the path of a person's file, among others. */
export const LINK_FILE = 'graph.link'

/** Beside the dataset's folder; its manifest.json is the journal. */
export const IMPORT_SCRATCH = '.import'

export interface ImportArgs {
  readonly source: string
  /** Appears when it is complete. */
  readonly folder: string
  readonly format?: FormatName | undefined
  /** Absent: `absolute` for Matrix Market, else `reject`. */
  readonly weightRule?: WeightRule | undefined
  readonly ignoreWeights?: boolean | undefined
  /** Of the same graph; only of formats whose ids are labels. */
  readonly sources?: readonly string[] | undefined
  /** In the report, in place of `source`. */
  readonly sourceName?: string | undefined
  readonly table?: TableOptions | undefined
  /** A table of the vertices (CSV, Parquet, Arrow): all of its ids are vertices, its other columns their attributes. */
  readonly vertices?: string | undefined
  /** Absent: max. After the weight map (workers/import/weight-policy.ts). */
  readonly merge?: MergeRule | undefined
  /** The smallest is best: w becomes max + min - w, after the weight rule. */
  readonly invertWeights?: boolean | undefined
  /** For buffers; the rest goes to disk. Absent: a quarter of the machine's. */
  readonly memoryBytes?: number | undefined
  readonly threads?: number | undefined
  /** An interrupted import of the same file and folder. */
  readonly resume?: boolean | undefined
  readonly datasetName?: string | undefined
  /** The caller removes it once it has noted the result. */
  readonly keepScratch?: boolean | undefined
}

export interface StoreArgs {
  readonly folder: string
  readonly checksum: string
}

export interface StoreOutcome {
  readonly bytes: number
}

export type GenerateArgs = GeneratorChoice & {
  readonly folder: string
  readonly seed: number
  readonly shuffle?: boolean | undefined
  /** For buffers; absent: a quarter of the machine's. */
  readonly memoryBytes?: number | undefined
  readonly threads?: number | undefined
}

export interface SampleArgs {
  readonly folder: string
  readonly sample: 'cities'
  /** Great-circle distance below which two places conflict. */
  readonly radiusKm: number
}

export interface PreviewArgs {
  readonly source: string
  readonly format?: FormatName | undefined
  readonly table?: TableOptions | undefined
  readonly ignoreWeights?: boolean | undefined
  readonly weightRule?: WeightRule | undefined
  /** The first of several files that are one graph; `source` is a later one. */
  readonly joins?: string | undefined
  readonly vertices?: string | undefined
}

export interface FilePreview {
  readonly format: FormatName
  /** What spoke for the format. */
  readonly reason: string
  readonly compression: 'none' | 'gzip'
  readonly bytes: number
  /** null where the format has no named columns. */
  readonly columns: readonly { readonly name: string }[] | null
  /** The first 20: fields of tables, else both ids and the weight. */
  readonly rows: readonly (readonly string[])[]
  readonly warnings: readonly string[]
  /** By rule, in the order of the file: the number of rows, and the first. */
  readonly refusals: readonly { readonly count: number; readonly failure: FailureValue }[]
  /** Rows looked at for refusals. */
  readonly looked: { readonly rows: number; readonly complete: boolean }
  /** null: no table. */
  readonly table: PreviewTable | null
  /** null: none, or one that is refused. */
  readonly vertices: VertexPreview | null
}

/** Of a table of vertices. */
export interface VertexPreview {
  readonly columns: readonly string[]
  /** The column of ids, from 0. */
  readonly id: number
  /** The first rows. */
  readonly rows: readonly (readonly string[])[]
}

/** Columns count from 0. */
export interface PreviewTable {
  /** A word such as "tab", or the character; null for Parquet and Arrow. */
  readonly delimiter: string | null
  /** Of a format of nodes and edges: their ends have names, and all else is an attribute. */
  readonly elements: boolean
  readonly header: boolean
  /** As TextDecoder calls it. */
  readonly encoding: string
  readonly decimal: 'point' | 'comma'
  readonly source: number
  readonly target: number
  readonly weight: number | null
  /** Kept as attributes of the edges. */
  readonly attributes: readonly number[]
  /** What a person has to say; null: nothing. */
  readonly asks: 'header' | 'columns' | 'weights' | null
}
