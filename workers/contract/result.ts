/**
 * Results of runs as jobs and hosts exchange them: sets, matchings and values with their hashes, what is verified of them and with which
 * witness, and the formats that they are exported in. Schemas of zod, whose types the engine and the window share. run.ts has what surrounds a
 * result, explore.ts how it is looked at.
 */

import { z } from 'zod'
import type { EdgeTies, EdgeWeights } from './catalogue.ts'
import { type GraphPlace, spreadsheetSafe, texts } from './schema.ts'

/** The hash is of the ascending ids. */
const setResultSchema = z.object({
  kind: z.literal('independent-set'),
  size: z.number(),
  fraction: z.number(),
  /** The weight of the set, if vertices have weights. */
  weight: z.number().optional(),
  hash: z.string(),
})

/** Every edge counts once; the hash is of the pairs u < v, ascending by u. */
const matchingResultSchema = z.object({
  kind: z.literal('matching'),
  pairs: z.number(),
  weight: z.number(),
  hash: z.string(),
})

/** A vertex may be in several pairs; the hash is of the pairs u < v, ascending by u, then v. */
const bMatchingResultSchema = z.object({ ...matchingResultSchema.shape, kind: z.literal('b-matching') })

/** The hash is of the values by vertex. */
const valuesResultSchema = z.object({
  kind: z.literal('values'),
  size: z.number(),
  figures: z.record(z.string(), z.number()),
  hash: z.string(),
})
export type ValuesResult = z.infer<typeof valuesResultSchema>

export const resultSchema = z.discriminatedUnion('kind', [
  setResultSchema,
  matchingResultSchema,
  bMatchingResultSchema,
  valuesResultSchema,
])
export type RunResult = z.infer<typeof resultSchema>

/** A result of pairs: of a matching, or of a b-matching. */
type PairsResult = Extract<RunResult, { readonly pairs: number }>

export const isOfPairs = (result: RunResult): result is PairsResult => 'pairs' in result

export function sizeOf(result: RunResult): number {
  return isOfPairs(result) ? result.pairs : result.size
}

/** null where the program chose. */
export const optionValuesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
export type OptionValues = Readonly<z.infer<typeof optionValuesSchema>>

export interface ResultClaim {
  /** Numbers of vertices that the run was given: the file as it was kept, or an attribute. */
  readonly columnFile?: string | undefined
  readonly columnName?: string | undefined
  readonly algorithm: string
  readonly file: string
  readonly result: RunResult
  readonly options: OptionValues
}

/**
 * How other programs write a set: `ids` of the graph, one a line; `from-1`, numbers of vertices from 1 on, in the order of their ids; `0-1`,
 * a line for each vertex in that order. `auto`: as many lines of 0 and 1 as there are vertices are `0-1`, all else are ids.
 */
export const setForms = ['auto', 'ids', 'from-1', '0-1'] as const
export type SetForm = (typeof setForms)[number]

export interface VerifyArgs extends GraphPlace {
  /** The set, by any program; or the bits of a run. */
  readonly set:
    | { readonly kind: 'bits'; readonly file: string }
    | { readonly kind: 'ids'; readonly file: string; readonly form?: SetForm | undefined }
  readonly excludeFile?: string | undefined
  /** A condition on attributes. */
  readonly excludeWhere?: string | undefined
  /** Mates of a run, or pairs "u,v" by any program. */
  readonly matching?: MatchingSource | undefined
  /** What an algorithm with a verifier of its own claims. */
  readonly claim?: ResultClaim | undefined
}

/** A matching with what it claims. */
export interface MatchingSource {
  readonly kind: 'mates' | 'pairs'
  readonly file: string
  readonly weights: EdgeWeights
  readonly ties: EdgeTies
  readonly seed: number
  readonly threshold?: number | undefined
  readonly dominant: boolean
}

const checked = {
  size: z.number(),
  hash: z.string(),
  /**
   * No independent set that keeps to the run's lists is larger: n - |M| for a matching M, or what a search proved. For a matching:
   * no matching weighs more. null: unknown.
   */
  upperBound: z.number().nullable(),
  /** Figures by the names of the entry's. */
  figures: z.record(z.string(), z.number()).optional(),
  weight: z.number().optional(),
  elapsedMs: z.number(),
}

/** A broken law with its witness, in the user's ids. */
const broken = { ...checked, verified: z.literal(false), sentence: z.string() }
const edge = z.tuple([z.string(), z.string()]) as z.ZodType<readonly [string, string]>

export const verdictSchema = z.lazy(() =>
  z.union([
    z.object({ ...checked, verified: z.literal(true) }),
    z.object({ ...broken, law: z.enum(['valid', 'maximal-matching', 'locally-dominant']), edge }),
    z.object({ ...broken, law: z.literal('independent'), edge }),
    z.object({ ...broken, law: z.literal('maximal'), vertex: z.string() }),
    /** No vertices where a figure is wrong. */
    z.object({ ...broken, law: z.literal('as claimed'), vertices: texts }),
  ]),
)
export type Verdict = z.infer<typeof verdictSchema>

/** Forms of results with the ends of names. */
export const resultEndings = {
  ids: 'txt',
  csv: 'csv',
  bits: 'bits',
  npy: 'npy',
  parquet: 'parquet',
  aggregate: 'aggregate.csv',
  classes: 'classes.txt',
  prolongation: 'prolongation.mtx',
  quotient: 'quotient.mtx',
  vertices: 'vertices.csv',
  graphml: 'graphml',
  gexf: 'gexf',
  geojson: 'geojson',
} as const
/**
 * Of a set, ids: one member a line; csv: every vertex as `id,in`; bits: bit vector, least significant bit first; npy, parquet: member
 * ids. Of a matching and a b-matching, ids: a pair a line; csv, parquet: pairs, with the weights of their edges where there are some; of a matching, aggregate: every vertex as `id,aggregate`; npy: the aggregates alone. Of
 * values, ids: every vertex as `id<TAB>value`; csv, parquet: the same as a table; npy: the values alone, u32, in the order of the vertices;
 * classes: the vertices of one value a line. Of a matching and of values that are dense, prolongation: the matrix of 0 and 1 from
 * aggregates to vertices as Matrix Market; quotient: the graph of aggregates as that, a line with its weight, or 1, for every edge between two.
 * Of all, vertices: every vertex with the result, its degree, place and attributes as CSV; graphml, gexf: the whole graph with these;
 * geojson: a point for every vertex, and a line for every pair.
 */
export type ExportFormat = keyof typeof resultEndings
export const exportFormats = Object.keys(resultEndings) as ExportFormat[]

export const exportOptions = { format: z.enum(exportFormats), output: z.string(), spreadsheetSafe }

export interface ExportArgs extends GraphPlace, Readonly<z.infer<z.ZodObject<typeof exportOptions>>> {
  readonly resultFile: string
  /** The hash as recorded; absent: not compared. */
  readonly hash?: string | undefined
  /** Absent: an independent set. */
  readonly kind?: RunResult['kind'] | undefined
  readonly algorithm?: string | undefined
}

/** One file by which others check and repeat a run. */
export interface ArchiveArgs extends Omit<ExportArgs, 'format'> {
  /** JSON. */
  readonly record: string
  /** What the folder in the archive is called. */
  readonly name: string
  /** ISO 8601: when its files were made, so that the same run is the same archive. */
  readonly time: string
  readonly lists: readonly { readonly name: string; readonly file: string }[]
  readonly withGraph: boolean
  /** Whether the run was asked for by attributes of vertices. */
  readonly withAttributes: boolean
  /** Whether the archive has what proves a bound: of a set whose members are no neighbours a matching, of a matching or b-matching prices of vertices. */
  readonly withCertificate: boolean
  /** The matching of the run, and by which order it was made; undefined for other results. */
  readonly matching?: MatchingSource | undefined
  /** What is claimed by an algorithm with a verifier of its own. */
  readonly claim?: ResultClaim | undefined
}

export const archiveOutcomeSchema = z.object({ files: texts, bytes: z.number() })
export type ArchiveOutcome = z.infer<typeof archiveOutcomeSchema>

export interface UnpackArgs {
  readonly archive: string
  readonly folder: string
}

/** A member of an archive, by the name that it has there, as a file. */
export interface UnpackedGraph {
  readonly name: string
  readonly file: string
}

export const exportOutcomeSchema = z.object({
  files: texts,
  bytes: z.number(),
  /** Members, or pairs, or vertices with a value. */
  members: z.number(),
})
export type ExportOutcome = z.infer<typeof exportOutcomeSchema>
