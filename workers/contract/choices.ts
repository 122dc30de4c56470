export const priorities = ['degree', 'ecl', 'hash', 'column'] as const
/** Total orders on the vertices; see docs/sets.md and workers/graph/vertex-ranking.ts for their exact definitions. */
export type Priority = (typeof priorities)[number]

export const heuristics = ['h1', 'h2', 'h3'] as const
/** The heuristics of TC-MIS, which it takes in place of a priority. */
export type Heuristic = (typeof heuristics)[number]

export const countings = ['auto', 'tensor', 'integer'] as const
/** What multiplies in phase 2 of TC-MIS: tensor cores or plain integer code; the sets are the same. */
export type Counting = (typeof countings)[number]

export const edgeWeights = ['column', 'unit', 'random3'] as const
/** What edges weigh in a matching; workers/graph/edge-order.ts defines each. */
export type EdgeWeights = (typeof edgeWeights)[number]

export const edgeTies = ['hash', 'id', 'degree'] as const
/** Which of two edges of equal weight comes first. */
export type EdgeTies = (typeof edgeTies)[number]

export const exportFormats = ['ids', 'csv', 'bits', 'npy', 'parquet', 'aggregate'] as const
/**
 * Of a set, ids: one member a line; csv: every vertex as `id,in`; bits: bit vector, least significant bit first; npy, parquet: member
 * ids. Of a matching, ids: a pair a line; csv, parquet: pairs; aggregate: every vertex as `id,aggregate`; npy: the aggregates alone.
 */
export type ExportFormat = (typeof exportFormats)[number]
