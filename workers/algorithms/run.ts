/**
 * The one pipeline of every run: options, graph, leading device, plan, computing, improvement, result file, verification, record. An algorithm
 * says only what it computes (algorithm.ts). A result that fails verification has the graph checked against its identity, which tells whether
 * the file or the program is wrong. A linked file is computed on while its check is under way (import/canonical). across-ranks.ts is the same
 * over several processes.
 */

import { openLabels } from '../graph/labels.ts'
import { removeResult, writeResult } from '../graph/result-file.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { AcrossArgs, RunArgs, RunOutcome, Verdict } from '../contract/jobs.ts'
import type { Device } from '../device/device.ts'
import { openDevice } from '../device/open-device.ts'
import type { Algorithm, Answer, AnswerRecord, Run, RunGraph } from './algorithm.ts'
import type { RankRun } from './across-ranks.ts'
import { workersOf } from './plan-request.ts'
import { workerFacts, requireAcross, requirePlanned, requireOptions } from './plan.ts'
import { loadAlgorithm } from './registry.ts'
import { writeTraces } from './worker-report.ts'
import { existsSync, rmSync } from 'node:fs'
import { GaloisGr, checksumOf, requireWhole, openGraph } from '../graph/galois-gr.ts'
import { Failure, type FailureValue, REPEAT, inputFailure } from '../base/failure.ts'
import { areDamagedTiles } from '../graph/tiles/tile-file.ts'
import { join, resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { CheckedFile } from '../base/checked-file.ts'
import { piecesOf, readSums } from '../base/sums.ts'
import { LINK_CHANGED, LINK_SUMS, stampOf } from '../graph/graph-file.ts'

/** Runs from a dataset to a verified result. @throws Failure (usage) for an option that the algorithm does not take, or where memory is short */
export async function runAlgorithm(args: RunArgs, job: JobContext): Promise<RunOutcome> {
  const algorithm = await loadAlgorithm(args.algorithm)
  if (args.across === undefined) return computeWith(algorithm, args, job)
  requireAcross(algorithm, args)
  const { acrossRanks } = await import('./across-ranks.ts')
  const open = (): RunGraph => openStored(args, job)
  return acrossRanks(args, job, open, (rank) => computeWith(algorithm, rank.args, job, undefined, rank))
}

/** Job `join-run`: computes with rank 0, which has the result. @returns what all ranks fail with */
export async function joinRun(args: AcrossArgs, job: JobContext): Promise<FailureValue | null> {
  const { joinRanks } = await import('./across-ranks.ts')
  return joinRanks(args, job, async (among) => {
    const algorithm = await loadAlgorithm(among.args.algorithm)
    await withAnswer(algorithm, { args: among.args, among }, job, () => Promise.resolve())
  })
}

/** The same by an algorithm that is loaded. @param opened the leading device, where it is open already: it stays so */
export async function computeWith(
  algorithm: Algorithm,
  args: RunArgs,
  job: JobContext,
  opened?: Device,
  among?: RankRun,
): Promise<RunOutcome> {
  try {
    return await outcomeOf(algorithm, { args, opened, among }, job, ({ bytes, workers }) => {
      writeResult(args.resultFile, bytes)
      writeTraces(args, workers)
    })
  } catch (error) {
    removeResult(args.resultFile)
    throw error
  }
}

/** The same of a graph and a leading device that are open, and stay so. The result is kept in no file. */
export async function computeOpen(
  algorithm: Algorithm,
  opening: { readonly args: RunArgs; readonly graph: GaloisGr; readonly opened: Device },
  job: JobContext,
): Promise<{ readonly outcome: RunOutcome; readonly bytes: Uint8Array }> {
  let bytes = new Uint8Array()
  const outcome = await outcomeOf(algorithm, { ...opening, among: undefined }, job, (answer) => {
    // The space of an answer may be that of the next one.
    bytes = answer.bytes.slice()
  })
  return { outcome, bytes }
}

async function outcomeOf(
  algorithm: Algorithm,
  opening: Opening,
  job: JobContext,
  keep: (answer: Answer) => void,
): Promise<RunOutcome> {
  const startMs = performance.now()
  const { args } = opening
  return withAnswer(algorithm, opening, job, async (answer, run) => {
    keep(answer)
    const { time, ...record } = await answer.record()
    const totalMs = performance.now() - startMs
    const verification = args.verify ? await verdictOn(algorithm, run, answer, record, job) : null
    // Not before: a run that is interrupted while it is verified need not be computed again.
    answer.checkpoint?.remove()
    const resumed = answer.checkpoint?.resumed
    return { algorithm: args.algorithm, ...record, time: { ...time, totalMs }, verification, resumed }
  })
}

interface Opening {
  readonly args: RunArgs
  readonly opened?: Device | undefined
  /** One that is open, and stays so. */
  readonly graph?: GaloisGr | undefined
  /** This rank's graph, where there are several ranks. */
  readonly among: RankRun | undefined
}

/** Computes; device and graph stay open while the answer is used. */
async function withAnswer<T>(
  algorithm: Algorithm,
  { args, opened, graph: given, among }: Opening,
  job: JobContext,
  use: (answer: Answer, run: Run) => Promise<T>,
): Promise<T> {
  const startMs = performance.now()
  requireOptions(algorithm, args)
  // From here on it runs: a GPU may take a while to open and to compile for.
  job.progress({ phase: 'open', done: 0, unit: 'vertices' })
  const workers = workersOf(args)
  const opening = opened === undefined ? openDevice(workers[0]!) : Promise.resolve(opened)
  // It may fail while the graph is opened; awaited below.
  opening.catch(() => {})
  let graph: GaloisGr | undefined
  try {
    const found =
      given === undefined ? (among?.graph ?? (await openRunGraph(args, job))) : { graph: given, checked: noCheck }
    const { checked } = found
    graph = found.graph
    opening.then((lead) => lead.prepare(algorithm.kernels(args, found.graph))).catch(() => {})
    const device = await opening
    const devices = await workerFacts(workers, device.facts, args.memoryBytes)
    const exchange = among?.exchange
    // Before any list is looked at: a plan says the same of all that it does not have to read.
    requirePlanned(algorithm, args, devices, graph, exchange?.ranks)
    const labels = () => openLabels(args.folder, found.graph.vertices)
    const waitedMs = (): number => performance.now() - startMs
    const run = { args, graph, device, devices, labels, checked, exchange, waitedMs, openMs: waitedMs() }
    return await use(await algorithm.compute(run, job), run)
  } finally {
    // Also one that is still opening, where the graph cannot be read.
    if (opened === undefined) opening.then((device) => device.close()).catch(() => {})
    if (graph !== given) graph?.close()
  }
}

const noCheck = (): Promise<void> => Promise.resolve()

function verdictOn(
  { verifier }: Algorithm,
  { graph, labels }: Run,
  answer: Answer,
  { result, options }: Pick<AnswerRecord, 'result' | 'options'>,
  job: JobContext,
): Promise<Verdict> {
  return answer.verify?.() ?? verifier!.verify({ graph, labels: labels(), bytes: answer.bytes, result, options }, job)
}

/**
 * Job `run`, whose inputs are checked. Whatever is read of the graph is verified as it passes by; where a result fails verification, all
 * of the graph is compared with its identity: then one of the two is wrong, and this tells which. Tiles that turn out damaged are taken
 * away, so that the next run builds them anew. @throws Failure as {@link runAlgorithm}; (input) for a graph that is damaged
 */
export async function runOnSoundInputs(args: RunArgs, job: JobContext): Promise<RunOutcome> {
  try {
    const outcome = await runAlgorithm(args, job)
    if (outcome.verification?.verified === false) requireSoundGraph(args, job)
    return outcome
  } catch (error) {
    if (!areDamagedTiles(error)) throw error
    rmSync(error.where, { force: true })
    throw new Failure({
      ...error.toValue(),
      remedy: 'It was removed, and is built anew. If it happens again, check the disk.',
      fixes: [REPEAT],
    })
  }
}

/** @throws Failure (input) when the graph is not the one that was imported; the result that was made from it is not kept */
function requireSoundGraph({ folder, checksum, unchecked, resultFile }: RunArgs, job: JobContext): void {
  try {
    requireWhole(folder, unchecked === undefined ? checksum : checksumOf(folder), job)
  } catch (error) {
    removeResult(resultFile)
    throw error
  }
}

const LOOK_MS = 1

/**
 * Opens the graph that a run computes on: that of its dataset, or the file that becomes its dataset meanwhile. Of that one nothing is known
 * but where its arrays are: the CRC-32 of every piece that is read is noted, and compared with those that the check found.
 * @throws Failure (input) when it is gone, or damaged; (storage); (cancelled)
 */
async function openRunGraph(args: RunArgs, job: JobContext): Promise<RunGraph> {
  const { folder, unchecked } = args
  if (unchecked === undefined) return openStored(args, job)
  const graph = await openUnchecked(unchecked.source, join(folder, LINK_SUMS))
  return { graph, checked: () => untilChecked(graph, folder, job) }
}

const openStored = ({ folder, checksum }: RunArgs, job: JobContext): RunGraph => ({
  graph: openGraph(folder, checksum, job),
  checked: noCheck,
})

/** All formats are loaded to know a file's; a dataset needs none of them. */
async function openUnchecked(source: string, sumsPath: string): Promise<GaloisGr> {
  const { openLinkable, storedLayout } = await import('../import/formats/detect.ts')
  const path = resolve(source)
  const found = openLinkable({ source, folder: '' })
  if (found === null) throw inputFailure(path, 'this file is no canonical graph', 'Import it first.')
  found.file.close()
  const { bytes } = stampOf(path)
  const crcs = new Uint32Array(piecesOf(bytes))
  const checked = CheckedFile.open(path, { fileBytes: bytes, crcs }, LINK_CHANGED)
  return new GaloisGr({ file: { path, sumsPath, bytes, ...storedLayout(found.layout) }, checked })
}

/** Waits for the dataset's folder, which is there when the check is over and all went well; else the caller of both cancels this run. */
async function untilChecked({ file, checked }: GaloisGr, folder: string, job: JobContext): Promise<void> {
  while (!existsSync(folder)) {
    throwIfCancelled(job.signal)
    await after(LOOK_MS)
  }
  const sums = readSums(file.sumsPath)
  const { crcs } = checked.handle
  const isSame = sums?.fileBytes === checked.bytes && sums.crcs.every((crc, i) => crcs[i] === 0 || crcs[i] === crc)
  if (!isSame) throw checked.damaged('it was written while it was read')
  // From here on it is verified as any other.
  crcs.set(sums.crcs)
}
