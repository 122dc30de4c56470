/**
 * Checks and exports of finished runs, and checks of what other programs found: which graph, order and lists a result belongs to is looked up
 * here, and the engine's jobs `verify` and `export` do the work. A broken law is a verdict with a witness; options that do not go together are
 * refused. An export to a file has the record beside it: both or none. run-history.ts has progress and timelines.
 */

import { resolve } from 'node:path'
import type { CallArgs, CallResult, Handlers } from '../contract/calls.ts'
import type { StoredDataset as Dataset } from '../contract/dataset.ts'
import { optionsOf, type Run, type RunRecord, usesAttributes } from '../contract/run.ts'
import type { Library } from '../library/library.ts'
import { type Failure, usageFailure, verificationFailure } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import { OutputFile, outputPlace } from '../../workers/base/output-file.ts'
import { inputFile } from './files.ts'
import type { JobRunner } from '../pool/pool.ts'
import { keptExclusions, keptLists } from './run-inputs.ts'
import {
  edgeTies,
  edgeWeights,
  type MatchingSource,
  type ResultClaim,
  type ResultPlace,
  type Verdict,
  type VerifyArgs,
} from '../../workers/contract/jobs.ts'

/**
 * Checks and exports the results of finished runs, and checks those of other programs; a broken law is a verdict.
 * @throws Failure (input, usage or storage)
 */
export function resultHandlers(
  library: Library,
  runner: JobRunner,
): Pick<Handlers, 'verify' | 'export' | 'archive' | 'archive.unpack'> {
  return {
    verify: async (args, job) => {
      requireTogether(args)
      const file = args.pairs ?? args.set
      const { asked, ...of } = file === undefined ? ofRun(args, library) : ofFile(args, file, library)
      const verdict = await runner.run('verify', asked, job)
      if (of.run !== null && verdict.verified && verdict.hash !== of.run.hash) throw otherSet(of.run, verdict)
      return { dataset: of.dataset.name, run: of.run?.id ?? null, set: of.set, verdict }
    },
    export: (args, job) => exportResult(args, library, runner, job),
    archive: (args, job) => archiveRun(args, library, runner, job),
    'archive.unpack': ({ archive, folder }, job) =>
      runner.run('unpack', { archive: inputFile(archive), folder: resolve(folder) }, job),
  }
}

/** Exports in the user's own ids, with the record beside it if it is a file: both or none. */
async function exportResult(
  { run: text, output, ...wanted }: CallArgs<'export'>,
  library: Library,
  runner: JobRunner,
  job: JobContext,
): Promise<CallResult<'export'>> {
  const { run, record, dataset, result } = finishedRun(library, text)
  const { file: resultFile, ...of } = result
  const file = resolve(output)
  const recordFile = outputPlace(file).isStream ? null : `${file}.run.json`
  const beside = recordFile === null ? null : new OutputFile(recordFile)
  try {
    beside?.write(Buffer.from(`${JSON.stringify(record, null, 2)}\n`))
    beside?.flush()
    const args = { ...wanted, ...library.place(dataset), ...of, resultFile, output: file }
    const outcome = await runner.run('export', args, job)
    beside?.finish()
    return { run: run.id, outcome, recordFile }
  } finally {
    beside?.discard()
  }
}

/** Archives a run with all that repeats and checks it. */
async function archiveRun(
  { run: text, output, withGraph = true }: CallArgs<'archive'>,
  library: Library,
  runner: JobRunner,
  job: JobContext,
): Promise<CallResult<'archive'>> {
  const { run, record, dataset, result } = finishedRun(library, text)
  const { file: resultFile, ...of } = result
  const matching = of.kind === 'matching' ? matchingOf(record, resultFile) : undefined
  const { options } = record.outcome
  const archived = await runner.run(
    'archive',
    {
      ...{ ...library.place(dataset), ...of, resultFile, output: resolve(output), withGraph },
      record: `${JSON.stringify(record, null, 2)}\n`,
      name: run.id,
      time: record.finishedAt,
      lists: keptLists(library.runFolder(run.id)),
      withAttributes: usesAttributes(optionsOf(record.request)),
      // Weights that are drawn are in no file by which a checker could compare them.
      withCertificate: options['distance'] === undefined && options['weights'] !== 'random3',
      ...{ matching, claim: of.kind === 'b-matching' ? claimOfRun(run, record, resultFile, library) : undefined },
    },
    job,
  )
  return { run: run.id, ...archived }
}

interface Checked {
  readonly asked: VerifyArgs
  readonly dataset: Dataset
  readonly run: Run | null
  readonly set: string
}

function ofRun({ of, exclude }: CallArgs<'verify'>, library: Library): Checked {
  if (library.datasets.find(of) !== null && !isRun(of, library)) {
    const what = `"${of}" is a dataset, so the set to check is missing`
    throw usageFailure(undefined, what, 'Give a file with one id a line, or name a run.')
  }
  if (exclude !== undefined) {
    const what = 'excluded vertices go with a set; a run is checked with the list that it was given'
    throw usageFailure(undefined, what, 'Leave them out.')
  }
  const { run, record, dataset, result } = finishedRun(library, of)
  const asked = {
    ...library.place(dataset),
    set: { kind: 'bits', file: result.file },
    excludeFile: keptExclusions(library.runFolder(run.id)),
    excludeWhere: optionsOf(record.request).excludeWhere,
    matching: result.kind === 'matching' ? matchingOf(record, result.file) : undefined,
    claim: claimOfRun(run, record, result.file, library),
  } as const
  return { asked, dataset, run, set: result.file }
}

function claimOfRun(run: Run, record: RunRecord, file: string, library: Library): ResultClaim {
  const { algorithm, result, options } = record.outcome
  return { algorithm, file, result, options, ...columnOf(run, record, library) }
}

/** The numbers of vertices that a run was given: the file as it was kept, or an attribute. */
function columnOf(run: Run, record: RunRecord, library: Library): Pick<ResultClaim, 'columnFile' | 'columnName'> {
  const { columnName } = optionsOf(record.request)
  const kept = keptLists(library.runFolder(run.id)).find(({ name }) => name === 'column.txt')
  return { ...(kept && { columnFile: kept.file }), ...(columnName !== undefined && { columnName }) }
}

function ofFile(args: CallArgs<'verify'>, set: string, library: Library): Checked {
  const { of, exclude } = args
  const { datasets } = library
  const dataset = datasets.find(of) ?? (isRun(of, library) ? finishedRun(library, of).dataset : datasets.get(of))
  const file = inputFile(set)
  const asked = {
    ...library.place(dataset),
    set: { kind: 'ids', file, form: args.setForm },
    excludeFile: exclude === undefined ? undefined : inputFile(exclude),
    matching: args.pairs === undefined ? undefined : claimOf(args, dataset.weighted, file),
  } as const
  return { asked, dataset, run: null, set: file }
}

const isRun = (text: string, { runs }: Library): boolean =>
  runs.list().some(({ id, name }) => id === text || name === text)

/** @throws Failure (usage) for a run without a result, or without its dataset */
export function finishedRun(library: Library, text: string) {
  const run = library.runs.get(text)
  const { record } = run
  if (record === null || run.state !== 'done')
    throw usageFailure(run.id, `this run is ${run.state} and has no result to use`, 'Name a run that is done.', [
      { action: 'show', page: 'runs' },
    ])
  const dataset = run.datasetId === null ? null : library.datasets.byId(run.datasetId)
  if (dataset === null)
    throw usageFailure(
      run.id,
      `its dataset "${run.dataset}" was removed from the library`,
      'Import it again and repeat the run.',
    )
  const { algorithm, result: of } = record.outcome
  const result: ResultPlace = { kind: of.kind, algorithm, file: library.resultFile(run), hash: record.hash }
  return { run, record, dataset, result }
}

/** @throws Failure (usage) for a file that the others do not need */
function requireTogether({ set, setForm, pairs, exclude, weights, ties, seed }: CallArgs<'verify'>): void {
  if (set !== undefined && pairs !== undefined)
    throw usageFailure(undefined, 'a set and pairs are two results to check', 'Check one after the other.')
  if (set === undefined && setForm !== undefined)
    throw usageFailure(undefined, 'how a set is written goes with a set', 'Name its file, or leave it out.')
  if (pairs !== undefined && exclude !== undefined)
    throw usageFailure(undefined, 'excluded vertices go with a set, not with pairs', 'Leave them out.')
  const options = { weights, ties, seed }
  const alone = Object.entries(options).find(([, value]) => value !== undefined)?.[0]
  if (pairs === undefined && alone !== undefined)
    throw usageFailure(undefined, `${alone} goes with pairs; a run is checked as it was asked for`, 'Leave it out.')
}

function otherSet(run: Run, verdict: Verdict): Failure {
  const what = `the result on disk is valid, but it is not the one that the run recorded: its hash is ${verdict.hash}, recorded was ${run.hash}`
  return verificationFailure(run.id, what, 'The file was changed since; repeat the run.')
}

export function matchingOf({ outcome: { options } }: RunRecord, file: string): MatchingSource {
  const { threshold, seed } = options
  return {
    kind: 'mates',
    file,
    weights: edgeWeights.find((weights) => weights === options['weights']) ?? 'unit',
    ties: edgeTies.find((ties) => ties === options['ties']) ?? 'hash',
    seed: typeof seed === 'number' ? seed : 0,
    threshold: typeof threshold === 'number' ? threshold : undefined,
    // An improved matching is not that of the order.
    dominant: (options['quality'] ?? 'fast') === 'fast',
  }
}

/** Local dominance where a rule for ties was named. */
function claimOf(
  { weights, ties, seed }: Pick<CallArgs<'verify'>, 'weights' | 'ties' | 'seed'>,
  weighted: boolean,
  file: string,
): MatchingSource {
  return {
    kind: 'pairs',
    file,
    weights: weights ?? (weighted ? 'column' : 'unit'),
    ties: ties ?? 'hash',
    seed: seed ?? 0,
    dominant: ties !== undefined,
  }
}
