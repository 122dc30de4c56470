import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Failure, usageFailure } from '../base/failure.ts'
import { type JobContext, stagedJob, throwIfCancelled } from '../base/job.ts'
import { faultOf, type GeneratorParameter, generators } from '../contract/generators.ts'
import type { DatasetFacts, GenerateArgs } from '../contract/jobs.ts'
import { type BuiltGraph, buildEntries } from '../import/external/build-external.ts'
import { buildAside } from '../import/external/import-external.ts'
import { preparingBytes } from '../base/host-resources.ts'
import { diskNeed, memoryShares } from '../import/reader/import-resources.ts'
import { graphModel, type GraphModel } from '../generate/graph-model.ts'
import { LatticeLists, type LatticeShape } from '../generate/lattice-lists.ts'
import { GRAPH_FILE, grLayout } from '../graph/graph-file.ts'
import { MAX_VERTICES } from '../import/reader/graph-reader.ts'
import { drawModel, type DrawPlan, planDrawing } from '../import/lines/draw-model.ts'
import type { Scratch } from '../import/external/spilled-entries.ts'
import { writePieces } from '../import/build/import-threads.ts'
import { refuseTakenName } from '../import/build/write-dataset.ts'

const STAGES = [['generate'], ['build'], ['write']]
/** Drawn, built and written part by part. */
const PARTS_STAGES = [['generate']]
const LATTICE_STAGES = [['write']]
/** Worth a thread's start. */
const ENTRIES_EACH = 1 << 18

/**
 * The same arguments give the same bytes everywhere. @throws Failure (usage) for parameters out of range; else as
 * {@link importGraph}
 */
export async function generateGraph(args: GenerateArgs, asked: JobContext): Promise<DatasetFacts> {
  const startedMs = performance.now()
  throwIfCancelled(asked.signal)
  checkArgs(args)
  refuseTakenName(args.folder)
  const model = graphModel(args)
  if (model.vertices > MAX_VERTICES)
    throw usage(`${model.vertices} vertices are past the ${MAX_VERTICES} that ids have room for`)
  const { vertices, tuples, expectedEntries = tuples } = model
  const count = args.threads ?? Math.min(availableParallelism(), Math.ceil(expectedEntries / ENTRIES_EACH))
  const threads = Math.max(1, count)
  const shares = memoryShares(args.memoryBytes ?? preparingBytes(), threads)
  const { lattice } = model
  const plan = lattice === undefined ? planDrawing(model, args.memoryBytes ?? preparingBytes(), threads) : null
  const stages = lattice !== undefined ? LATTICE_STAGES : plan !== null && plan.parts.length > 1 ? PARTS_STAGES : STAGES
  const job = stagedJob(asked, () => stages)
  const aside = {
    folder: args.folder,
    shares,
    threads,
    diskBytes: lattice === undefined ? diskNeed(expectedEntries, false, vertices) : 8 * (expectedEntries + vertices),
    entries: expectedEntries,
  }
  return buildAside(aside, job, async (scratch) => {
    const built = await (lattice === undefined
      ? buildModel(args, model, plan, scratch, job)
      : writeLattice(lattice, tuples, scratch, job))
    const from = {
      source: model.name,
      format: 'generated',
      compression: 'none',
      sourceBytes: 0,
      sourceSha256: null,
      lines: 0,
      entries: built.entries,
      warnings: [],
      policy: null,
      startedMs,
    } as const
    return { built, from }
  })
}

/** Builds a model in memory where there is room, else through the disk. */
async function buildModel(
  args: GenerateArgs,
  model: GraphModel,
  plan: DrawPlan | null,
  scratch: Scratch,
  job: JobContext,
): Promise<BuiltGraph> {
  const built = plan && (await drawModel(args, model, plan, scratch.dataset, scratch.pool, job))
  if (built !== null) return built
  const graph = {
    entries: { kind: 'model', recordWords: 2, args },
    space: { kind: 'counted', vertices: model.vertices, base: 0 },
    weighted: false,
    merge: { rule: 'max', scale: 1, offset: 0 },
  } as const
  return buildEntries(graph, scratch, job)
}

/** Builds as {@link buildModel}, straight from the formula. @param entries that its model draws */
async function writeLattice(
  shape: LatticeShape,
  entries: number,
  { dataset, pool }: Scratch,
  job: JobContext,
): Promise<BuiltGraph> {
  const { vertices, arcs, maxDegree } = new LatticeLists(shape)
  const path = join(dataset, GRAPH_FILE)
  const bytes = grLayout(vertices, arcs, false).fileBytes
  const taken = await writePieces('lattice', { path, shape }, bytes, pool, (done) =>
    job.progress({ phase: 'write', done, total: bytes, unit: 'bytes' }),
  )
  // A periodic side of one vertex joins it to itself; one of two draws both directions.
  const sides = shape.periodic ? [shape.width, shape.height, shape.depth] : []
  const loopsRemoved = vertices * sides.filter((side) => side === 1).length
  const counted = {
    ...{ vertices, arcs, loopsRemoved, duplicatesMerged: 0, reverseArcsAdded: arcs - (entries - loopsRemoved) },
    isolatedVertices: maxDegree === 0 ? vertices : 0,
    labels: { kind: 'dense', smallest: '0', largest: String(vertices - 1) },
    weights: null,
  } as const
  return { counted, entries, maxDegree, checksum: taken!.sums.root, bytes }
}

function checkArgs(args: GenerateArgs): void {
  check('seed', args.seed, { kind: 'integer', least: 0, most: Number.MAX_SAFE_INTEGER })
  const { parameters } = generators[args.model]
  const given = new Map<string, unknown>(Object.entries(args))
  for (const [name, range] of Object.entries<GeneratorParameter>(parameters)) check(name, given.get(name), range)
}

function check(name: string, value: unknown, range: Omit<GeneratorParameter, 'explain'>): void {
  const fault = faultOf(value, range)
  if (fault !== null) throw usage(`${name} is ${String(value)}, ${fault}`)
}

const usage = (what: string): Failure => usageFailure(undefined, what, 'Choose another value.')
