/**
 * A run on several ranks, which MPI started: rank 0 reads the request, publishes it and keeps the result; every other rank greets, opens its
 * slice of the graph and its own devices, computes along, and gives its result away. All ranks make the same calls of one exchange
 * (exchange/mpi-exchange.ts), so a failure or a cancel of one ends all with the same words. run.ts calls it; how sets and matchings share the
 * work is with their algorithms.
 */

import { endianness, hostname } from 'node:os'
import { basename } from 'node:path'
import { CheckedFile } from '../base/checked-file.ts'
import { Failure, type FailureValue, inputFailure, usageFailure } from '../base/failure.ts'
import { shareMachine } from '../base/host-resources.ts'
import type { JobContext } from '../base/job.ts'
import { type AcrossArgs, PACKED_FILE, type RunArgs, type RunOutcome } from '../contract/jobs.ts'
import { type Exchange, broadcast, gatherValues, textOfWords, wordsOfText } from '../exchange/exchange.ts'
import { MpiExchange } from '../exchange/mpi-exchange.ts'
import { GaloisGr } from '../graph/galois-gr.ts'
import { GRAPH_DAMAGE, type GraphFile, openBytes } from '../graph/graph-file.ts'
import type { RunGraph } from './algorithm.ts'

/** A run as one of several ranks computes it. */
export interface RankRun {
  readonly args: RunArgs
  readonly exchange: Exchange
  readonly graph: RunGraph
}

/** What the ranks compare before anything else. */
interface Greeting {
  readonly version: string
  readonly endianness: string
  readonly host: string
  readonly hasJob: boolean
}

/** What rank 0 gives to all. */
interface PublishedRun {
  readonly args: RunArgs
  readonly file: GraphFile
}

/** Publishes the run, on rank 0, and computes it together with all others. @throws Failure as the ranks agree on */
export async function acrossRanks(
  args: RunArgs,
  job: JobContext,
  openGraph: () => RunGraph,
  compute: (run: RankRun) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  const outcome = await together(args.across!, job, true, async (exchange, greetings) => {
    const graph = openGraph()
    const { file, checked } = graph.graph
    const published: PublishedRun = { args, file }
    await broadcast(exchange, wordsOfText(JSON.stringify(published)))
    await broadcast(exchange, checked.handle.crcs)
    const outcome = await compute({ args: withDevices(args, exchange.rank, greetings), exchange, graph })
    return { ...outcome, options: { ...outcome.options, ranks: exchange.ranks } }
  })
  if (outcome instanceof Failure) throw outcome
  return outcome
}

/** Computes along, on every other rank. @returns what all ranks fail with, which rank 0 says; null: they do not */
export async function joinRanks(
  across: AcrossArgs,
  job: JobContext,
  compute: (run: RankRun) => Promise<void>,
): Promise<FailureValue | null> {
  const failure = await together(across, job, false, async (exchange, greetings) => {
    const published = JSON.parse(textOfWords(await broadcast(exchange, undefined))) as PublishedRun
    const crcs = await broadcast(exchange, undefined)
    const graph = { graph: openSlice(published.file, crcs, across), checked: () => Promise.resolve() }
    const args = withDevices(ownArgs(published.args), exchange.rank, greetings)
    await compute({ args, exchange, graph })
  })
  return failure instanceof Failure ? failure.toValue() : null
}

/** @returns a failure that the ranks agreed on. @throws Failure of this rank alone, (lost) */
async function together<T>(
  across: AcrossArgs,
  job: JobContext,
  hasJob: boolean,
  work: (exchange: Exchange, greetings: readonly Greeting[]) => Promise<T>,
): Promise<T | Failure> {
  const exchange = new MpiExchange(job.signal)
  let result: T | Failure
  try {
    const own = { version: across.version, endianness: endianness(), host: hostname(), hasJob }
    const greetings = await gatherValues<Greeting>(exchange, own)
    requireAlike(greetings)
    shareMachine(greetings.filter(({ host }) => host === hostname()).length)
    result = await work(exchange, greetings)
  } catch (error) {
    result = await exchange.fail(named(error, exchange))
    if (result.code === 'lost') throw result
  }
  await endWith(exchange, job)
  return result
}

/** A rank that ends after the result changes nothing. */
async function endWith(exchange: MpiExchange, job: JobContext): Promise<void> {
  try {
    await exchange.end()
    job.afterwards?.(() => exchange.finish())
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'lost') throw error
  }
}

/** Whoever reads a failure must know where to look. */
function named(error: unknown, { rank, ranks }: Exchange): unknown {
  if (!(error instanceof Failure) || ranks === 1 || rank === 0 || error.code === 'cancelled') return error
  const place = `rank ${rank} on ${hostname()}`
  return new Failure({ ...error.toValue(), where: error.where === undefined ? place : `${place}, ${error.where}` })
}

function requireAlike(greetings: readonly Greeting[]): void {
  const [first] = greetings
  const of = (rank: number): string => `rank ${rank} on ${greetings[rank]!.host}`
  const differ = (what: string, rank: number, remedy: string): Failure => usageFailure(of(rank), what, remedy)
  for (const [rank, greeting] of greetings.entries()) {
    if (greeting.version !== first!.version)
      throw differ(
        `it has Anticlique ${greeting.version}, and rank 0 has ${first!.version}`,
        rank,
        'Install the same version on all nodes, or start all from one shared folder.',
      )
    if (greeting.endianness !== first!.endianness)
      throw differ('its processor orders bytes otherwise than that of rank 0', rank, 'Use nodes of one kind.')
    if (greeting.hasJob !== (rank === 0))
      throw differ('it took itself for another rank', rank, 'Do not start this program through another launcher.')
  }
}

/** The arguments of a rank that keeps no result: the first one improves and verifies it, and writes all files. */
const ownArgs = (args: RunArgs): RunArgs => ({
  ...args,
  quality: undefined,
  verify: false,
  checkpointFile: undefined,
  resume: undefined,
  traceFile: args.traceFile === undefined && args.timelineFile === undefined ? undefined : '',
  timelineFile: undefined,
})

/** Ranks of one machine take its named devices in turn where there are enough of them. */
function withDevices(args: RunArgs, rank: number, greetings: readonly Greeting[]): RunArgs {
  const here = greetings.flatMap(({ host }, each) => (host === greetings[rank]!.host ? [each] : []))
  const devices = args.device.split(',')
  if (here.length === 1 || devices.length < here.length) return args
  const own = devices.filter((_, i) => i % here.length === here.indexOf(rank))
  return { ...args, device: own.join(',') }
}

/** @throws Failure (input) where this rank has not the file */
function openSlice(file: GraphFile, crcs: Uint32Array, { graphPath = file.path }: AcrossArgs): GaloisGr {
  try {
    const { isPacked, ...canonical } = file
    // A node's own copy may be packed or not, whatever that of rank 0 is.
    const packs = graphPath === file.path ? isPacked === true : basename(graphPath) === PACKED_FILE
    const own = { ...canonical, path: graphPath, ...(packs && ({ isPacked: true } as const)) }
    const checked = CheckedFile.open(graphPath, { fileBytes: file.bytes, crcs }, GRAPH_DAMAGE, () => openBytes(own))
    return new GaloisGr({ file: own, checked })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw inputFailure(
      graphPath,
      error.what,
      'Keep the library on a disk that all nodes share, or copy the graph to each node and give its path there.',
    )
  }
}
