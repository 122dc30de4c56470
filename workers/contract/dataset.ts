import type { FailureValue } from '../base/failure.ts'
import type { GeneratorChoice } from './generators.ts'
import type { FormatName, MergeRule, TableOptions, WeightRule } from './graph-formats.ts'

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
  /** Entries that repeat an arc (u, v) that was there already. */
  readonly duplicatesMerged: number
  /** Arcs (u, v) added because only (v, u) was read. */
  readonly reverseArcsAdded: number
  readonly vertices: number
  /** Directed arcs stored: twice the undirected edges. */
  readonly arcs: number
  readonly isolatedVertices: number
  readonly labels: {
    readonly kind: 'dense' | 'integer' | 'text'
    readonly smallest: string | null
    readonly largest: string | null
  }
  /** The two sides of a bipartite input: vertices 0 to left - 1, and the `right` ones after them. Absent for other inputs. */
  readonly sides?: { readonly left: number; readonly right: number } | undefined
  /** Rows that the threshold (`where`) left out; they are not among the entries. Absent where there was none. */
  readonly filtered?: number | undefined
  /** Rows that are no edges and were skipped, as `missingWeight` or `badRows` say; not among the entries. Absent where there were none. */
  readonly skipped?: number | undefined
  readonly weights: {
    readonly rule: WeightRule
    /** How entries that repeat an edge were merged. Absent: max. */
    readonly merge?: MergeRule | undefined
    readonly made: { readonly absolute: number; readonly dropped: number }
    /** Every weight w was stored as scale * w + offset (`shift`, `invert`). Absent: as it was. */
    readonly map?: { readonly scale: 1 | -1; readonly offset: number } | undefined
    readonly smallest: number
    readonly largest: number
  } | null
  readonly warnings: readonly string[]
  readonly elapsedMs: number
}

/** What a finished import, generation or sample left in its dataset folder. */
export interface DatasetFacts {
  readonly vertices: number
  readonly arcs: number
  readonly maxDegree: number
  readonly meanDegree: number
  readonly weighted: boolean
  /** Bytes of graph.gr and labels together. */
  readonly bytes: number
  /** SHA-256 of graph.gr, hexadecimal. */
  readonly checksum: string
  readonly report: ImportReport
}

/** Files of a dataset folder that the service looks at itself: places of the vertices (f32 pairs x, y by internal id), and tiles. */
export const COORDINATES_FILE = 'coordinates'
/** Names of the vertices beside their labels; laid out as text labels are, in no order. */
export const NAMES_FILE = 'names'
export const TILES_FOLDER = 'tiles'
/** In the folder of a dataset whose graph stays in a person's file: its path, among others, as JSON behind a line with a checksum. */
export const LINK_FILE = 'graph.link'

/** The scratch folder of an import lies beside the dataset's folder, under its name and this; its manifest.json is the journal. */
export const IMPORT_SCRATCH = '.import'

export interface ImportArgs {
  readonly source: string
  /** Folder to create; it appears under this name only when it is complete. */
  readonly folder: string
  readonly format?: FormatName | undefined
  /** Absent: `absolute` for Matrix Market (whose values need not be weights), else `reject`. */
  readonly weightRule?: WeightRule | undefined
  /** Leave weights out altogether. */
  readonly ignoreWeights?: boolean | undefined
  /** Further files of the same graph, after `source`; only of formats whose ids are labels. Line numbers stay per file. */
  readonly sources?: readonly string[] | undefined
  /** What the report names in place of `source`: where standard input was saved to a file first. */
  readonly sourceName?: string | undefined
  readonly table?: TableOptions | undefined
  /** Absent: max. Merging is the builder's: it applies the weight map (workers/import/weight-policy.ts) first, then this. */
  readonly merge?: MergeRule | undefined
  /** For costs, of which the smallest is best: w becomes max + min - w, after the weight rule. */
  readonly invertWeights?: boolean | undefined
  /** Memory for buffers; what does not fit goes to disk. Absent: a quarter of the machine's. */
  readonly memoryBytes?: number | undefined
  /** Absent: as many as there are cores. */
  readonly threads?: number | undefined
  /** Continue what an interrupted import of the same file and folder left, where there is any. */
  readonly resume?: boolean | undefined
  /** What the dataset will be called; noted in the journal for an import that resumes. */
  readonly datasetName?: string | undefined
  /** Leave the scratch folder with its journal when all is done: the caller removes it when it has noted the result. */
  readonly keepScratch?: boolean | undefined
}

/** A dataset whose file is to be copied into its folder. */
export interface StoreArgs {
  readonly folder: string
  readonly checksum: string
}

export interface StoreOutcome {
  /** Of the file; 0 where it was in the folder already. */
  readonly bytes: number
}

export type GenerateArgs = GeneratorChoice & {
  readonly folder: string
  readonly seed: number
  /** Put the ids in random order, as Graph500 does. */
  readonly shuffle?: boolean | undefined
  /** Memory for buffers; a graph that does not fit is made on the disk. Absent: a quarter of the machine's. */
  readonly memoryBytes?: number | undefined
  /** Absent: as many as there are cores. */
  readonly threads?: number | undefined
}

export interface SampleArgs {
  readonly folder: string
  readonly sample: 'cities'
  /** Two places conflict when their great-circle distance is below this. */
  readonly radiusKm: number
}

export interface PreviewArgs {
  readonly source: string
  readonly format?: FormatName | undefined
  readonly table?: TableOptions | undefined
  readonly ignoreWeights?: boolean | undefined
  readonly weightRule?: WeightRule | undefined
}

/** The beginning of a file as an import would read it. */
export interface FilePreview {
  readonly format: FormatName
  /** What spoke for the format. */
  readonly reason: string
  readonly compression: 'none' | 'gzip'
  /** Of the file as it is stored. */
  readonly bytes: number
  /** null where the format has no named columns. */
  readonly columns: readonly { readonly name: string }[] | null
  /** The first 20 rows: fields of tables, else the ids of the two ends, and the weight where there is one. */
  readonly rows: readonly (readonly string[])[]
  readonly warnings: readonly string[]
  /** What an import refuses, by rule, in the order of the file: each with the number of rows, and the first of them. */
  readonly refusals: readonly { readonly count: number; readonly failure: FailureValue }[]
  /** Rows that were looked at for refusals; all of them where `complete`. */
  readonly looked: { readonly rows: number; readonly complete: boolean }
  /** How a table is read; null for all else. */
  readonly table: PreviewTable | null
}

/** How an import would read a table as edges; columns count from 0. */
export interface PreviewTable {
  /** "tab", "space", "comma", "semicolon", "pipe", or the character itself; null for columns of Parquet and Arrow. */
  readonly delimiter: string | null
  readonly header: boolean
  /** As TextDecoder calls it. */
  readonly encoding: string
  readonly decimal: 'point' | 'comma'
  readonly source: number
  readonly target: number
  readonly weight: number | null
  /** What a person has to say before it can be imported; null where all is told. */
  readonly asks: 'header' | 'columns' | 'weights' | null
}
