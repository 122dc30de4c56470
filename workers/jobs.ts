import type { FailureValue } from './failure.ts'
import type { GeneratorChoice } from './generators.ts'
import type { Progress } from './job.ts'

/**
 * The engine's contract: the jobs that the engine process can do, their arguments and their results. The engine owns it;
 * the pool and the service call it. Only paths, options and counts cross the process boundary, never edges.
 */

/**
 * File formats that import reads (docs/formats.md). `edge-list` covers SNAP, TSV, CSV and space-separated lists; `galois` both
 * versions, `egr` both widths, `gapbs` .sg and .wsg, as the file itself says.
 */
export const graphFormats = [
  'matrix-market',
  'edge-list',
  'konect',
  'metis',
  'dimacs',
  'dimacs9',
  'pbbs',
  'galois',
  'egr',
  'gapbs',
  'vite',
  'graph500',
  'graph500-packed',
  'parquet',
  'arrow',
  'graphml',
  'gexf',
  'webgraph',
] as const
export type GraphFormat = (typeof graphFormats)[number]

export const weightRules = ['reject', 'absolute', 'drop', 'shift'] as const
/**
 * What to do with weights that are zero or negative; `shift` adds the same number to all weights, so that the smallest becomes 1.
 * NaN and infinite weights are always refused.
 */
export type WeightRule = (typeof weightRules)[number]

export const mergeRules = ['max', 'sum', 'min', 'first'] as const
/**
 * Which weight stays where an edge is given several times. Entries (u, v) that repeat are merged first: the largest, their
 * sum, the smallest, or the one read first stays. Then the two directions are: the smaller one stays under `min`, that from
 * the smaller id under `first`, else the larger one; they are never added, as many files hold every edge in both directions.
 */
export type MergeRule = (typeof mergeRules)[number]

export const headerChoices = ['auto', 'yes', 'no'] as const
export type HeaderChoice = (typeof headerChoices)[number]

/** Which columns of a table (CSV and the like, Parquet, Arrow) make the graph. Columns are names, or numbers from 1 as text. */
export interface TableOptions {
  readonly sourceColumn?: string | undefined
  readonly targetColumn?: string | undefined
  readonly weightColumn?: string | undefined
  /** One character, or `tab`, `space` (runs of blanks), `comma`, `semicolon`, `pipe`. Absent: as the first lines say. */
  readonly delimiter?: string | undefined
  /** Whether the first line names the columns. */
  readonly header?: HeaderChoice | undefined
  /** What lines that are no data begin with. Absent: #, % and //. */
  readonly comment?: string | undefined
  /** "column op number" with <, <=, =, !=, >= or >: only rows for which it holds are entries. */
  readonly where?: string | undefined
}

export const priorities = ['degree', 'ecl', 'hash', 'column'] as const
/** Total orders on the vertices; see docs/architecture.md and workers/graph/priority.ts for their exact definitions. */
export type Priority = (typeof priorities)[number]

export const heuristics = ['h1', 'h2', 'h3'] as const
/** The heuristics of TC-MIS, which it takes in place of a priority. */
export type Heuristic = (typeof heuristics)[number]

export const countings = ['auto', 'tensor', 'integer'] as const
/** What multiplies in phase 2 of TC-MIS: tensor cores or plain integer code; the sets are the same. */
export type Counting = (typeof countings)[number]

export const algorithmNames = ['ecl-mis', 'mg-mis', 'tc-mis', 'ld-gpu'] as const
/** Published algorithms by their names; workers/catalogue.ts has an entry for each that there is. */
export type AlgorithmName = (typeof algorithmNames)[number]

export const edgeWeights = ['column', 'unit', 'random3'] as const
/** What edges weigh in a matching; workers/graph/views/edge-order.ts defines each. */
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

/** Everything that import counted; a conserved sum: arcs = entries - loopsRemoved - duplicatesMerged + reverseArcsAdded. */
export interface ImportReport {
  readonly source: string
  readonly format: GraphFormat | 'generated' | 'sample'
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

/** Files of a dataset folder that the service looks at itself: places of the vertices (f32 pairs x, y by internal id), and views. */
export const COORDINATES_FILE = 'coordinates'
/** Names of the vertices beside their labels; laid out as text labels are, in no order. */
export const NAMES_FILE = 'names'
export const VIEWS_FOLDER = 'views'
/** A view opens with its header as JSON, padded with spaces. */
export const VIEW_HEADER_BYTES = 4096

/** The scratch folder of an import lies beside the dataset's folder, under its name and this; its manifest.json is the journal. */
export const IMPORT_SCRATCH = '.import'

export interface ImportArgs {
  readonly source: string
  /** Folder to create; it appears under this name only when it is complete. */
  readonly folder: string
  readonly format?: GraphFormat | undefined
  /** Absent: `absolute` for Matrix Market (whose values need not be weights), else `reject`. */
  readonly weightRule?: WeightRule | undefined
  /** Leave weights out altogether. */
  readonly ignoreWeights?: boolean | undefined
  /** Further files of the same graph, after `source`; only of formats whose ids are labels. Line numbers stay per file. */
  readonly sources?: readonly string[] | undefined
  /** What the report names in place of `source`: where standard input was saved to a file first. */
  readonly sourceName?: string | undefined
  readonly table?: TableOptions | undefined
  /** Absent: max. Merging is the builder's: it applies the weight map (workers/ingest/weight-policy.ts) first, then this. */
  readonly merge?: MergeRule | undefined
  /** For costs, of which the smallest is best: w becomes max + min - w, after the weight rule. */
  readonly invertWeights?: boolean | undefined
  /** Memory for buffers; what does not fit goes to disk. Absent: a quarter of the machine's. */
  readonly memoryBytes?: number | undefined
  /** Absent: as many as there are cores. */
  readonly threads?: number | undefined
  /** Continue what an interrupted import of the same file and folder left, where there is any. */
  readonly resume?: boolean | undefined
  /** What the dataset will be called; noted in the journal for whoever continues. */
  readonly datasetName?: string | undefined
  /** Leave the scratch folder with its journal when all is done: the caller removes it when it has noted the result. */
  readonly keepScratch?: boolean | undefined
}

export type GenerateArgs = GeneratorChoice & {
  readonly folder: string
  readonly seed: number
  /** Put the ids in random order, as Graph500 does. */
  readonly shuffle?: boolean | undefined
}

export interface SampleArgs {
  readonly folder: string
  readonly sample: 'cities'
  /** Two places conflict when their great-circle distance is below this. */
  readonly radiusKm: number
}

export interface RunArgs {
  readonly folder: string
  readonly checksum: string
  readonly algorithm: AlgorithmName
  /** "cpu:0", "gpu:0", "auto", or several with commas: one worker for each. */
  readonly device: string
  /** Number of workers; more than devices: they share them in turn. Absent: one for each device. */
  readonly partitions?: number | undefined
  readonly priority: Priority | Heuristic
  readonly seed: number
  /** Number of batches; absent: as few as the device's limits and the budget allow. */
  readonly batches?: number | undefined
  readonly memoryBytes?: number | undefined
  /** How MG-MIS workers tell each other what they decided. */
  readonly exchange?: 'replicated' | 'paper' | undefined
  /** Words of each buffer between two workers under the exchange of the paper. */
  readonly bufferWords?: number | undefined
  /** "fast", "swap:3", "augment:3": what is done to make the result better. */
  readonly quality?: string | undefined
  /** TC-MIS: sets computed at once under as many seeds; the largest is kept. */
  readonly seeds?: number | undefined
  /** TC-MIS: what counts in phase 2; absent: as countsKernel says. */
  readonly counting?: Counting | undefined
  /** TC-MIS: how vertices are reordered so that tiles fill better. */
  readonly reorder?: string | undefined
  /** LD-GPU: cursors over the weight-ordered view, or the paper's scan of all neighbours in every round. */
  readonly method?: 'ordered' | 'rescan' | undefined
  readonly ties?: EdgeTies | undefined
  readonly weights?: EdgeWeights | undefined
  /** LD-GPU: edges that weigh less are left alone. */
  readonly threshold?: number | undefined
  /** `label,value` lines; required by priority `column`. */
  readonly columnFile?: string | undefined
  /** One label a line: vertices that must be in the set, and vertices that must not. */
  readonly keepFile?: string | undefined
  readonly excludeFile?: string | undefined
  readonly verify: boolean
  /** The set as a bit vector, or the mate of every vertex as u32, is written here (aside first, then renamed). */
  readonly resultFile: string
  /** Vertex states are kept here now and then while the run goes on, and removed at its end. */
  readonly checkpointFile?: string | undefined
  /** Milliseconds between two checkpoints within a pass; absent: 30 s. */
  readonly checkpointEveryMs?: number | undefined
  /** Go on from the checkpoint file where there is one. */
  readonly resume?: boolean | undefined
  /** Chrome trace events are written here. */
  readonly traceFile?: string | undefined
  /** The same, but only the longest spans, so many that a page can show them. */
  readonly timelineFile?: string | undefined
}

export interface RunTimes {
  /** Building the view, 0 when it was cached. */
  readonly prepareMs: number
  /** Initialisation of the vertex states and all sweeps, until the host knows that every vertex is decided. */
  readonly computeMs: number
  /** The part of computeMs in which kernels ran: GPU timestamps where the adapter has them, else computeMs. */
  readonly kernelMs: number
  readonly exchangeMs: number
  /** Reading the view from disk and moving it to the device. */
  readonly readMs: number
  readonly totalMs: number
}

export interface RunBytes {
  readonly read: number
  readonly toDevice: number
  readonly fromDevice: number
  readonly exchanged: number
}

/** Vertices undecided after a sweep over all of them; for charts. */
export interface RoundCount {
  readonly round: number
  readonly undecided: number
}

/** A figure for each round, sweep or seed, in order; for charts. */
export interface Series {
  readonly name: string
  /** "bytes", "ms", "" for plain counts. */
  readonly unit: string
  readonly values: readonly number[]
}

/** A set: its members, their share of all vertices, and the hash of the ascending ids. */
export interface SetResult {
  readonly kind: 'independent-set'
  readonly size: number
  readonly fraction: number
  readonly hash: string
}

/** A matching: every edge counts once; the hash is that of the pairs u < v, ascending by u. */
export interface MatchingResult {
  readonly kind: 'matching'
  readonly pairs: number
  readonly weight: number
  readonly hash: string
}

export type RunResult = SetResult | MatchingResult

/** Members of a set, or pairs of a matching. */
export function sizeOf(result: RunResult): number {
  return result.kind === 'matching' ? result.pairs : result.size
}

export interface RunOutcome {
  readonly algorithm: AlgorithmName
  readonly devices: readonly DeviceFacts[]
  /** What was chosen, by the names of the options (workers/catalogue.ts); null where the program chose. */
  readonly options: Readonly<Record<string, string | number | boolean | null>>
  readonly result: RunResult
  readonly rounds: number
  readonly roundCounts: readonly RoundCount[]
  /** By the names of the algorithm's counters. */
  readonly counters: Readonly<Record<string, number>>
  readonly series: readonly Series[]
  readonly time: RunTimes
  readonly bytes: RunBytes
  readonly passes: number
  /** The plan as it was before the run started. */
  readonly plan: RunPlan
  /** null when verification was not asked for. */
  readonly verification: Verdict | null
}

/** What a run needs, computed before it starts. */
export interface RunPlan {
  readonly vertices: number
  readonly arcs: number
  readonly batches: number
  readonly hostBytes: number
  readonly deviceBytes: number
  /** Disk that a view not built yet will take. */
  readonly viewBytes: number
}

export interface PlanArgs {
  readonly target:
    | { readonly kind: 'file'; readonly source: string; readonly format?: GraphFormat | undefined }
    | { readonly kind: 'dataset'; readonly folder: string; readonly checksum: string }
  readonly algorithm: AlgorithmName
  readonly device: string
  readonly priority: Priority | Heuristic
  readonly seed: number
  readonly batches?: number | undefined
  /** Of the device. */
  readonly memoryBytes?: number | undefined
  /** Of the host, for importing and preparing; absent: a quarter of the machine's. */
  readonly hostBytes?: number | undefined
  /** On whose disk everything will lie. */
  readonly folder: string
}

/** What one step takes at most. */
export interface PlanStep {
  readonly name: 'import' | 'view' | 'run'
  readonly hostBytes: number
  readonly deviceBytes: number
  /** Gone when the step ends. */
  readonly scratchBytes: number
  /** Stays. */
  readonly diskBytes: number
  /** Times that what the step works on is read from end to end. */
  readonly passes: number
}

/** What importing, preparing and computing would take. Every figure is an upper bound. */
export interface ResourcePlan {
  readonly vertices: number
  readonly arcs: number
  /** Whether vertices and arcs are known, and not estimated from a sample. */
  readonly exact: boolean
  readonly basis: string
  readonly device: string
  /** Why one device, or that several would help; absent where there is only one to choose from. */
  readonly deviceAdvice?: string | undefined
  readonly batches: number
  readonly steps: readonly PlanStep[]
  readonly passes: number
  readonly needed: {
    readonly hostBytes: number
    readonly deviceBytes: number
    readonly scratchBytes: number
    /** Stays. */
    readonly diskBytes: number
    readonly peakDiskBytes: number
  }
  readonly available: {
    readonly hostBytes: number
    /** null where nobody can tell. */
    readonly deviceBytes: number | null
    readonly diskBytes: number
  }
  /** Why it cannot be done here; null when it fits. */
  readonly refusal: FailureValue | null
}

export interface VerifyArgs {
  readonly folder: string
  readonly checksum: string
  /** A bit vector written by a run, or a list of ids, one a line, by any program. */
  readonly set: { readonly kind: 'bits'; readonly file: string } | { readonly kind: 'ids'; readonly file: string }
  readonly excludeFile?: string | undefined
  /** Check a matching instead: the mates of a run, or a list of pairs "u,v" by any program. */
  readonly matching?: MatchingSource | undefined
}

/** A matching in a file, and what it claims: its weights and ties, the least weight of an edge, whether it is locally dominant. */
export interface MatchingSource {
  readonly kind: 'mates' | 'pairs'
  readonly file: string
  readonly weights: EdgeWeights
  readonly ties: EdgeTies
  readonly seed: number
  readonly threshold?: number | undefined
  readonly dominant: boolean
}

/** The verifier's word. A failure carries its witness, in the user's ids. */
export type Verdict = {
  /** Members of a set, or pairs of a matching. */
  readonly size: number
  readonly hash: string
  /** n - |M| for a maximal matching M found on the way: no independent set is larger. For a matching: no matching weighs more. */
  readonly upperBound: number
  /** Of a matching; absent for sets. */
  readonly weight?: number | undefined
  readonly elapsedMs: number
} & (
  | { readonly verified: true }
  | {
      readonly verified: false
      /** The laws of a matching. */
      readonly law: 'valid' | 'maximal-matching' | 'locally-dominant'
      readonly edge: readonly [string, string]
      readonly sentence: string
    }
  | {
      readonly verified: false
      readonly law: 'independent'
      readonly edge: readonly [string, string]
      readonly sentence: string
    }
  | { readonly verified: false; readonly law: 'maximal'; readonly vertex: string; readonly sentence: string }
)

export interface ViewsArgs {
  readonly folder: string
  readonly checksum: string
  /** A view's name as it is listed, or `all`. */
  readonly drop?: string | undefined
  /** "oriented:degree", "weight-ordered:column-hash-7", "tiles:rcm"; see workers/graph/views/view-name.ts. */
  readonly build?: string | undefined
  /** Host memory that building may take; absent: a quarter of the machine's. */
  readonly budgetBytes?: number | undefined
  /** Read every view and compare its checksums. */
  readonly check?: boolean | undefined
}

export const viewStates = ['valid', 'stale', 'damaged'] as const

/** A prepared view on disk. stale: of another graph than the dataset's; damaged: not what its header or checksums say. */
export interface ViewFacts {
  readonly name: string
  readonly kind: 'oriented' | 'weight-ordered' | 'tiles' | null
  readonly order: string | null
  readonly bytes: number
  /** ISO 8601, UTC. */
  readonly builtAt: string
  readonly state: (typeof viewStates)[number]
}

export interface ViewsOutcome {
  readonly dropped: readonly string[]
  /** 0 where the view was there already; null where none was asked for. */
  readonly buildMs: number | null
  readonly views: readonly ViewFacts[]
}

export const graphExportFormats = [
  'matrix-market',
  'edge-list',
  'csv',
  'metis',
  'dimacs',
  'dimacs9',
  'galois',
  'galois2',
  'egr',
  'egr64',
  'sg',
  'wsg',
  'pbbs',
  'vite',
  'parquet',
  'arrow',
] as const
/** Formats that graphs are written in (docs/formats.md): versions and widths that reading tells apart have names of their own. */
export type GraphExportFormat = (typeof graphExportFormats)[number]

export interface GraphExportArgs {
  readonly folder: string
  readonly format: GraphExportFormat
  readonly output: string
  readonly gzip?: boolean | undefined
}

export interface GraphExportOutcome {
  /** The graph, and the labels beside it where the format has no room for them. */
  readonly files: readonly string[]
  /** Bytes of the graph's file. */
  readonly bytes: number
  readonly vertices: number
  readonly arcs: number
  /** What the format could not carry. */
  readonly notes: readonly string[]
}

export interface ExportArgs {
  readonly folder: string
  readonly resultFile: string
  /** What resultFile holds; absent: an independent set. */
  readonly kind?: RunResult['kind'] | undefined
  readonly format: ExportFormat
  readonly output: string
}

export interface ExportOutcome {
  readonly files: readonly string[]
  readonly bytes: number
  /** Of the set, or pairs of the matching. */
  readonly members: number
}

/** A matrix product that a GPU's subgroups compute at once: A (m x k) times B (k x n). */
export interface SubgroupMatrix {
  /** "u8", "f16" ... of A and B */
  readonly component: string
  /** Of the product. */
  readonly result: string
  readonly m: number
  readonly n: number
  readonly k: number
}

/** A device as `anticlique devices` lists it. What cannot be known is null; records of older versions lack the later fields. */
export interface DeviceFacts {
  /** "cpu:0", "gpu:0". GPUs are numbered by PCI address, software adapters last. */
  readonly id: string
  readonly kind: 'cpu' | 'gpu'
  readonly name: string
  readonly driver: string
  readonly software: boolean
  readonly memoryBytes: number | null
  /** Of memoryBytes, when the device was listed or opened. */
  readonly memoryFreeBytes?: number | null | undefined
  readonly maxBindingBytes: number | null
  readonly maxBufferBytes?: number | null | undefined
  /** Memory that a workgroup shares. */
  readonly workgroupStorageBytes?: number | null | undefined
  readonly features: readonly string[]
  readonly subgroupMatrices?: readonly SubgroupMatrix[] | undefined
  /** "0000:19:00.0": domain, bus, device, function. */
  readonly pciAddress?: string | null | undefined
}

/** What `auto` stands for: the first GPU that is one, else the processor. A software adapter is slower than the processor itself. */
export function autoDevice(devices: readonly Pick<DeviceFacts, 'id' | 'kind' | 'software'>[]): string {
  return devices.find(({ kind, software }) => kind === 'gpu' && !software)?.id ?? 'cpu:0'
}

export interface DevicesArgs {
  /** Allocate on each GPU in turn and tell on which one memory was taken. */
  readonly prove?: boolean | undefined
  /** Measure each device, and the disk of this folder. */
  readonly benchmark?: { readonly folder: string } | undefined
}

/** Where memory was taken when it was allocated on a GPU. */
export interface BindingProof {
  readonly id: string
  readonly name: string
  /** The GPU that `id` stands for; null where its address is not known. */
  readonly pciAddress: string | null
  readonly allocatedBytes: number
  /** GPUs whose used memory grew by half of allocatedBytes or more meanwhile. */
  readonly grew: readonly { readonly pciAddress: string; readonly bytes: number }[]
  /** Whether it grew on `pciAddress` and nowhere else; null where nobody tells how much memory is used. */
  readonly proven: boolean | null
  readonly reason: string | null
}

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export interface DeviceBenchmark {
  readonly id: string
  /** Of each copy. */
  readonly bytes: number
  readonly repeats: number
  /** All in bytes a second: host memory to the device, back, and read plus written by a kernel that copies. */
  readonly toDevice: Spread | null
  readonly fromDevice: Spread | null
  readonly kernel: Spread | null
  /** Why there are no figures; else null. */
  readonly problem: string | null
}

export interface DiskBenchmark {
  readonly folder: string
  readonly bytes: number
  readonly repeats: number
  /** Sequential, in bytes a second. */
  readonly read: Spread | null
  /** Whether the file had left the system's cache before each reading. If not, `read` is the speed of memory. */
  readonly cacheDropped: boolean
  readonly note: string | null
}

export interface DevicesOutcome {
  readonly devices: readonly DeviceFacts[]
  /** Why there is no GPU, when there is none; else null. */
  readonly noGpu: string | null
  /** Which GPUs are not offered because they cannot be told apart, and why. */
  readonly note?: string | null | undefined
  readonly proof?: readonly BindingProof[] | undefined
  readonly benchmarks?: readonly DeviceBenchmark[] | undefined
  readonly disk?: DiskBenchmark | undefined
}

export interface DeviceMemoryArgs {
  /** As they were listed. */
  readonly devices: readonly DeviceFacts[]
}

/** What is free now on devices that were listed before; null where nobody tells. */
export interface DeviceMemory {
  readonly devices: readonly {
    readonly id: string
    readonly memoryBytes: number | null
    readonly memoryFreeBytes: number | null
  }[]
}

export interface DegreesArgs {
  readonly folder: string
  readonly checksum: string
}

/** How many vertices have which degree. A conserved sum: the vertices of degree 0 in `exact` and those of all bins are all. */
export interface DegreeDistribution {
  readonly vertices: number
  /** Degrees from 1 on, in bins that widen by a quarter of an octave; both ends included. Empty ones are left out. */
  readonly bins: readonly { readonly from: number; readonly to: number; readonly vertices: number }[]
  /** Every degree up to 64 that occurs. */
  readonly exact: readonly { readonly degree: number; readonly vertices: number }[]
}

export interface PreviewArgs {
  readonly source: string
  readonly format?: GraphFormat | undefined
  readonly table?: TableOptions | undefined
  readonly ignoreWeights?: boolean | undefined
}

/** The beginning of a file as an import would read it. */
export interface FilePreview {
  readonly format: GraphFormat
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
}

/** A vertex that was found: internal id, label, the name that its dataset has for it, degree. */
export interface FoundVertex {
  readonly id: number
  readonly label: string
  readonly name: string | null
  readonly degree: number
}

export interface VertexSearchArgs {
  readonly folder: string
  readonly text: string
  readonly limit: number
}

export interface VertexSearch {
  readonly vertices: readonly FoundVertex[]
}

export interface NeighbourhoodArgs {
  readonly folder: string
  /** Label of the vertex in the middle; null: one that shows something, the same every time. */
  readonly vertex: string | null
  readonly hops: number
  /** Vertices at most. */
  readonly limit: number
  /** The result of a run; absent: none is marked. */
  readonly result?: { readonly kind: 'independent-set' | 'matching'; readonly file: string } | undefined
}

/** A part of a graph that is small enough to be drawn. */
export interface Neighbourhood {
  /** Label of the vertex in the middle. */
  readonly centre: string
  readonly vertices: readonly (FoundVertex & {
    /** Edges away from the middle. */
    readonly hop: number
    /** In the set; an end of a matched edge. null without a run. */
    readonly member: boolean | null
    /** Its place, where the dataset has places: longitude and latitude for cities. */
    readonly x: number | null
    readonly y: number | null
  })[]
  /** Between internal ids of vertices above, each once. */
  readonly edges: readonly {
    readonly source: number
    readonly target: number
    readonly weight: number | null
    readonly matched: boolean
  }[]
  /** Whether something within `hops` is left out. */
  readonly truncated: boolean
  /** In words, what was left out and why. */
  readonly limits: readonly string[]
}

/** Every job by its name, with its arguments and its result. */
export interface Jobs {
  devices: { args: DevicesArgs; result: DevicesOutcome }
  import: { args: ImportArgs; result: DatasetFacts }
  generate: { args: GenerateArgs; result: DatasetFacts }
  sample: { args: SampleArgs; result: DatasetFacts }
  run: { args: RunArgs; result: RunOutcome }
  verify: { args: VerifyArgs; result: Verdict }
  export: { args: ExportArgs; result: ExportOutcome }
  'export-graph': { args: GraphExportArgs; result: GraphExportOutcome }
  views: { args: ViewsArgs; result: ViewsOutcome }
  plan: { args: PlanArgs; result: ResourcePlan }
  degrees: { args: DegreesArgs; result: DegreeDistribution }
  preview: { args: PreviewArgs; result: FilePreview }
  'vertex-search': { args: VertexSearchArgs; result: VertexSearch }
  neighbourhood: { args: NeighbourhoodArgs; result: Neighbourhood }
  'device-memory': { args: DeviceMemoryArgs; result: DeviceMemory }
}

export type JobName = keyof Jobs

/** From the pool to the engine. */
export type EngineRequest =
  | { readonly type: 'start'; readonly job: number; readonly name: JobName; readonly args: Jobs[JobName]['args'] }
  | { readonly type: 'cancel'; readonly job: number }
  | { readonly type: 'quit' }

/** From the engine to the pool. */
export type EngineReply =
  | { readonly type: 'ready'; readonly node: string }
  | { readonly type: 'progress'; readonly job: number; readonly progress: Progress }
  | { readonly type: 'log'; readonly job: number; readonly message: string }
  | { readonly type: 'done'; readonly job: number; readonly result: Jobs[JobName]['result'] }
  | {
      readonly type: 'failed'
      readonly job: number
      readonly failure: FailureValue
      readonly stack?: string | undefined
    }
