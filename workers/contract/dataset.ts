/**
 * What datasets are to the service, the engine and the window: options and arguments of import, preview, generators, samples and export, the
 * report of an import with its balance, and the recipe by which a dataset is made again. Schemas check what crosses a process or the network;
 * types follow from them, and the engine, which loads no schemas, imports the types alone. jobs.ts lists the jobs.
 */

import { z } from 'zod'
import { balanceSchema } from './balance.ts'
import { count, failureSchema, type GraphPlace, list, spreadsheetSafe, texts } from './schema.ts'
import type { ModelRequest } from './generators.ts'
import {
  graphExportFormats,
  graphFormats,
  mergeRules,
  tableOptions,
  weightRules,
  type TableOptions,
} from './graph-formats.ts'

export const attributeKind = z.enum(['number', 'text', 'boolean'])
export type AttributeKind = z.infer<typeof attributeKind>
/** null where a vertex or an edge has none. */
export const attributeValue = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type AttributeValue = z.infer<typeof attributeValue>

/** What is known of all vertices, or of all edges, beside their ids. */
const attributeColumnSchema = z.object({
  name: z.string(),
  kind: attributeKind,
  /** Rows that have a value. */
  filled: count,
})
export type AttributeColumn = z.infer<typeof attributeColumnSchema>

const attributesSchema = z.object({ vertices: list(attributeColumnSchema), edges: list(attributeColumnSchema) })
export type Attributes = z.infer<typeof attributesSchema>

/** The call of the service that makes a dataset again, but for its name, memory and threads. */
export const recipeSchema = z.object({
  call: z.enum(['datasets.import', 'datasets.generate', 'datasets.sample', 'datasets.complement']),
  args: z.record(z.string(), z.unknown()),
})
export type Recipe = z.infer<typeof recipeSchema>

/** Everything that an import counted; a conserved sum: arcs = entries - loopsRemoved - duplicatesMerged + reverseArcsAdded. */
export const importReportSchema = z.object({
  source: z.string(),
  format: z.enum([...graphFormats, 'generated', 'sample', 'complement']),
  compression: z.enum(['none', 'gzip']),
  /** What the file was taken out of, from the outside: "gzip, tar". Absent: it was plain, or gzip alone. */
  container: z.string().optional(),
  /** The file of an archive that is the graph. */
  member: z.string().optional(),
  /** Bytes of the source file as stored (compressed). */
  sourceBytes: count,
  sourceSha256: z.string().nullable(),
  /** Absent: the defaults, or a dataset of an earlier version. */
  recipe: recipeSchema.optional(),
  /** Lines of text, comments and blank ones included; 0 for generated graphs. */
  lines: count,
  /** Directed entries as they were read, before anything was removed or added. */
  entries: count,
  loopsRemoved: count,
  /** Entries that repeat an arc. */
  duplicatesMerged: count,
  /** Arcs (u, v) added because only (v, u) was read. */
  reverseArcsAdded: count,
  vertices: count,
  /** Twice the undirected edges. */
  arcs: count,
  isolatedVertices: count,
  labels: z.object({
    kind: z.enum(['dense', 'integer', 'text']),
    smallest: z.string().nullable(),
    largest: z.string().nullable(),
  }),
  /** Vertices 0 to left - 1, and `right` after them. Absent: not bipartite. */
  sides: z.object({ left: count, right: count }).optional(),
  /** Entries that the threshold (`where`) left out; not among the entries. */
  filtered: count.optional(),
  /** Entries skipped as `missingWeight` or `badRows` say; not among the entries. */
  skipped: count.optional(),
  weights: z
    .object({
      rule: z.enum(weightRules),
      /** Absent: max. */
      merge: z.enum(mergeRules).optional(),
      /** Each weight w is scale * w + offset. Absent: w. */
      map: z.object({ scale: z.union([z.literal(1), z.literal(-1)]), offset: z.number() }).optional(),
      made: z.object({ absolute: count, dropped: count }),
      smallest: z.number(),
      largest: z.number(),
    })
    .nullable(),
  /** Absent where there are none. */
  attributes: attributesSchema.optional(),
  /** Absent: imported by an earlier version, or generated. */
  balance: balanceSchema.optional(),
  warnings: texts,
  elapsedMs: z.number().nonnegative(),
})
export type ImportReport = z.infer<typeof importReportSchema>

/** The report says the rest. */
export const graphFigures = {
  vertices: count,
  arcs: count,
  maxDegree: count,
  meanDegree: z.number().nonnegative(),
  weighted: z.boolean(),
  /** Bytes of graph.gr and labels. */
  bytes: count,
  /** Checksum of graph.gr, hexadecimal. */
  checksum: z.string(),
}

export interface DatasetFacts extends z.infer<z.ZodObject<typeof graphFigures>> {
  readonly report: ImportReport
}

const tableSchema = z.object(
  Object.fromEntries(
    Object.entries(tableOptions).map(([name, option]) => [
      name,
      ('choices' in option ? z.enum(option.choices) : z.string()).optional(),
    ]),
  ),
) as unknown as z.ZodType<TableOptions>

export const importOptions = {
  format: z.enum(graphFormats).optional(),
  /** Absent: `absolute` for Matrix Market, else `reject`. */
  weightRule: z.enum(weightRules).optional(),
  ignoreWeights: z.boolean().optional(),
  /** Further files of the same graph; only of formats whose ids are labels. */
  sources: texts.optional(),
  /** What the report names in place of `source`. */
  sourceName: z.string().optional(),
  /** The name of the file of an archive that is the graph, or the number of one of several graphs, or both: "many.g6#3". */
  member: z.string().optional(),
  table: tableSchema.optional(),
  /** A table of the vertices (CSV, Parquet, Arrow): all of its ids are vertices, its other columns their attributes. */
  vertices: z.string().optional(),
  /** The ids of the vertices, one a line in their order, of a file that counts them. */
  labels: z.string().optional(),
  /** Absent: max. After the weight map (workers/import/reader/policies.ts). */
  merge: z.enum(mergeRules).optional(),
  /** The smallest is best: w becomes max + min - w, after the weight rule. */
  invertWeights: z.boolean().optional(),
  /** Weights of more digits become the nearest 32-bit floats, and may then be equal. */
  roundWeights: z.boolean().optional(),
  /** Memory for buffers; the rest goes to disk. Absent: a quarter of the machine's. */
  memoryBytes: z.number().int().positive().optional(),
  threads: z.number().int().positive().optional(),
}

export const importArgsSchema = z.lazy(() =>
  z.object({
    source: z.string(),
    /** Appears when it is complete. */
    folder: z.string(),
    ...importOptions,
    /** An interrupted import of the same file and folder. */
    resume: z.boolean().optional(),
    datasetName: z.string().optional(),
    /** The folder to which the archive was unpacked. */
    unpacked: z.string().optional(),
    /** The caller removes it once it has noted the result. */
    keepScratch: z.boolean().optional(),
  }),
)
export type ImportArgs = z.infer<typeof importArgsSchema>

export const previewArgsSchema = z.object({
  source: z.string(),
  format: importOptions.format,
  table: importOptions.table,
  ignoreWeights: importOptions.ignoreWeights,
  weightRule: importOptions.weightRule,
  /** The first of several files that are one graph; `source` is a later one. */
  joins: z.string().optional(),
  vertices: importOptions.vertices,
  member: importOptions.member,
})
export type PreviewArgs = z.infer<typeof previewArgsSchema>

/** How a file of a plan is read, beside its format. */
export const plannedReadingSchema = previewArgsSchema.pick({
  table: true,
  ignoreWeights: true,
  weightRule: true,
  vertices: true,
})
export type PlannedReading = z.infer<typeof plannedReadingSchema>

/** The graphs of a file: one, or those among which a person chooses. */
export const contentsSchema = z.lazy(() =>
  z.object({
    /** What the file is in or is, from the outside, such as "gzip, tar"; null: no archive. */
    container: z.string().nullable(),
    graphs: list(
      z.object({
        /** What an import calls it; null: the file itself. */
        member: z.string().nullable(),
        /** What its dataset may be called: no two alike. */
        name: z.string(),
        /** Bytes of the file in the archive. */
        bytes: count,
      }),
    ),
  }),
)
export type FileContents = z.infer<typeof contentsSchema>

export const contentsArgsSchema = z.object({
  source: z.string(),
  /** An archive that is read from its beginning for each file is unpacked once, for the imports that follow. */
  unpacks: z.boolean().optional(),
})

export interface ContentsArgs {
  readonly source: string
  /** A folder that nothing has yet, for the files of an archive without a directory. */
  readonly unpack?: string | undefined
}

export const sampleOptions = {
  sample: z.literal('cities'),
  /** Great-circle distance below which two places conflict. */
  radiusKm: z.number().positive().max(20_000),
}

export type GenerateArgs = ModelRequest & { readonly folder: string }
/** `to`: the folder that the complement gets; `labels` and `attributes`: those of the graph's report, of its vertices. */
export interface ComplementArgs extends GraphPlace {
  readonly to: string
  readonly source: string
  readonly labels: ImportReport['labels']
  readonly attributes: Attributes['vertices']
}
export type SampleArgs = z.infer<z.ZodObject<typeof sampleOptions>> & { readonly folder: string }

const column = z.number().int()
const rows = list(texts)

/** Columns count from 0. */
const previewTableSchema = z.lazy(() =>
  z.object({
    /** A word such as "tab", or the character; null for Parquet and Arrow. */
    delimiter: z.string().nullable(),
    /** Whether the format has nodes and edges: their ends have names, and all else is an attribute. */
    elements: z.boolean(),
    header: z.boolean(),
    /** The encoding as TextDecoder calls it. */
    encoding: z.string(),
    decimal: z.enum(['point', 'comma']),
    source: column,
    target: column,
    weight: column.nullable(),
    /** Kept as attributes of the edges. */
    attributes: list(column),
    /** What a person has to say; null: nothing. */
    asks: z.enum(['header', 'columns', 'weights']).nullable(),
  }),
)
export type PreviewTable = z.infer<typeof previewTableSchema>

/** What a table of vertices has: the column of ids, and the first rows. */
const vertexPreviewSchema = z.lazy(() => z.object({ columns: texts, id: column, rows }))
export type VertexPreview = z.infer<typeof vertexPreviewSchema>

/** Rows that are alike: their number, the first, and what is wrong with each of the first hundred. */
const refusedRows = z.lazy(() =>
  z.object({
    count: z.number().int(),
    failure: failureSchema,
    rows: list(z.object({ line: z.number().int().nullable(), what: z.string() })),
  }),
)

export const previewSchema = z.lazy(() =>
  z.object({
    format: z.enum(graphFormats),
    /** What spoke for the format. */
    reason: z.string(),
    compression: z.enum(['none', 'gzip']),
    bytes: count,
    /** null where the format has no named columns. */
    columns: list(z.object({ name: z.string() })).nullable(),
    /** The first 20: fields of tables, else both ids and the weight. */
    rows,
    warnings: texts,
    /** What an import stops at, by rule, in the order of the file. */
    refusals: list(refusedRows),
    /** What it skips, as `badRows` and `missingWeight` say. */
    skips: list(refusedRows),
    /** Rows looked at for refusals. */
    looked: z.object({ rows: z.number().int(), complete: z.boolean() }),
    /** The balance of what was looked at; null where entries are read by the import alone. */
    balance: balanceSchema.nullable(),
    /** null: no table. */
    table: previewTableSchema.nullable(),
    /** null: none, or one that is refused. */
    vertices: vertexPreviewSchema.nullable(),
  }),
)
export type FilePreview = z.infer<typeof previewSchema>

export const graphExportOptions = {
  format: z.enum(graphExportFormats),
  output: z.string(),
  gzip: z.boolean().optional(),
  spreadsheetSafe,
  /** Leaves out the comment at the top of edge lists, and quotes around texts. */
  bare: z.boolean().optional(),
  /** A file for a table of the vertices as CSV: ids and attributes. */
  vertices: z.string().optional(),
}
export type GraphExportArgs = GraphPlace & Readonly<z.infer<z.ZodObject<typeof graphExportOptions>>>

export const graphExportOutcomeSchema = z.object({
  /** The graph, and the labels beside it where the format has no room for them. */
  files: texts,
  bytes: z.number(),
  vertices: z.number(),
  arcs: z.number(),
  /** What the format could not carry. */
  notes: texts,
})
export type GraphExportOutcome = z.infer<typeof graphExportOutcomeSchema>

export const packOutcomeSchema = z.object({
  /** The length of graph.gr, packed or not. */
  bytes: count,
  /** The length of the packed file; null where the graph is not packed: as asked for, or as it would hardly be smaller. */
  packedBytes: count.nullable(),
  changed: z.boolean(),
})
export type PackOutcome = z.infer<typeof packOutcomeSchema>

export interface DatasetJobs {
  import: { args: ImportArgs; result: DatasetFacts }
  /** null where the file is not canonical. */
  link: { args: ImportArgs; result: DatasetFacts | null }
  store: { args: GraphPlace; result: { readonly bytes: number } }
  pack: { args: GraphPlace; result: PackOutcome }
  'unpack-graph': { args: GraphPlace; result: PackOutcome }
  generate: { args: GenerateArgs; result: DatasetFacts }
  sample: { args: SampleArgs; result: DatasetFacts }
  complement: { args: ComplementArgs; result: DatasetFacts }
  preview: { args: PreviewArgs; result: FilePreview }
  contents: { args: ContentsArgs; result: FileContents }
  'export-graph': { args: GraphExportArgs; result: GraphExportOutcome }
}
