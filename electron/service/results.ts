import { resolve } from 'node:path'
import type { CallArgs, CallResult } from '../contract/calls.ts'
import type { StoredDataset as Dataset } from '../contract/dataset.ts'
import { optionsOf, type Run, type RunRecord } from '../contract/run.ts'
import type { Library } from '../library/library.ts'
import { Failure, usageFailure } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import { OutputFile, outputPlace } from '../../workers/base/output-file.ts'
import { inputFile } from './input-file.ts'
import type { JobRunner } from './job-runner.ts'
import { keptList } from './run-lists.ts'
import {
  edgeTies,
  edgeWeights,
  type Verdict,
  type MatchingSource,
  type ResultClaim,
} from '../../workers/contract/jobs.ts'

/** Checks and exports the results of finished runs, and checks those of other programs. */
export class Results {
  readonly #library: Library
  readonly #runner: JobRunner

  constructor(library: Library, runner: JobRunner) {
    this.#library = library
    this.#runner = runner
  }

  /** @throws Failure (input or usage); a broken law is a verdict */
  verify(args: CallArgs<'verify'>, job: JobContext): Promise<CallResult<'verify'>> {
    requireTogether(args)
    const file = args.pairs ?? args.set
    return file === undefined ? this.#verifyRun(args, job) : this.#verifyFile({ ...args, set: file }, job)
  }

  /**
   * Writes a run's result in the user's own ids, and its record beside it where it is a file: both or none.
   * @throws Failure (input or storage)
   */
  async export({ run: text, output, ...wanted }: CallArgs<'export'>, job: JobContext): Promise<CallResult<'export'>> {
    const { run, record, dataset } = this.#finished(text)
    const file = resolve(output)
    const recordFile = outputPlace(file).isStream ? null : `${file}.run.json`
    const beside = recordFile === null ? null : new OutputFile(recordFile)
    try {
      beside?.write(Buffer.from(`${JSON.stringify(record, null, 2)}\n`))
      beside?.flush()
      const {
        algorithm,
        result: { kind },
      } = record.outcome
      const result = { resultFile: this.#library.resultFile(run), hash: record.hash, kind, algorithm }
      const args = { ...wanted, ...this.#library.place(dataset), ...result, output: file }
      const outcome = await this.#runner.run('export', args, job)
      beside?.finish()
      return { run: run.id, outcome, recordFile }
    } finally {
      beside?.discard()
    }
  }

  /** @throws Failure (usage) for a run that has none */
  record(text: string): RunRecord {
    const run = this.#library.runs.get(text)
    if (run.record !== null) return run.record
    throw usageFailure(
      run.id,
      `this run is ${run.state} and has no record`,
      'Only runs that came to a result have one.',
    )
  }

  async #verifyRun({ of, exclude }: CallArgs<'verify'>, job: JobContext): Promise<CallResult<'verify'>> {
    if (this.#library.datasets.find(of) !== null && !this.#isRun(of)) throw noSet(of)
    if (exclude !== undefined) throw excludeOfRun()
    const { run, record, dataset } = this.#finished(of)
    const set = this.#library.resultFile(run)
    const verdict = await this.#runner.run(
      'verify',
      {
        ...this.#library.place(dataset),
        set: { kind: 'bits', file: set },
        excludeFile: keptList(this.#library.runFolder(run.id), 'excludeFile'),
        excludeWhere: optionsOf(record.request).excludeWhere,
        matching: record.outcome.result.kind === 'matching' ? matchingOf(record, set) : undefined,
        claim: claimOfRun(record, set),
      },
      job,
    )
    if (verdict.verified && verdict.hash !== record.hash) throw otherSet(run, verdict)
    return { dataset: dataset.name, run: run.id, set, verdict }
  }

  async #verifyFile(args: CallArgs<'verify'> & { set: string }, job: JobContext): Promise<CallResult<'verify'>> {
    const { of, set, exclude } = args
    const { datasets } = this.#library
    const dataset = datasets.find(of) ?? (this.#isRun(of) ? this.#finished(of).dataset : datasets.get(of))
    const file = inputFile(set)
    const verdict = await this.#runner.run(
      'verify',
      {
        ...this.#library.place(dataset),
        set: { kind: 'ids', file, form: args.setForm },
        excludeFile: exclude === undefined ? undefined : inputFile(exclude),
        matching: args.pairs === undefined ? undefined : claimOf(args, dataset.weighted, file),
      },
      job,
    )
    return { dataset: dataset.name, run: null, set: file, verdict }
  }

  #isRun(text: string): boolean {
    return this.#library.runs.list().some(({ id, name }) => id === text || name === text)
  }

  #finished(text: string): { run: Run; record: RunRecord; dataset: Dataset } {
    const run = this.#library.runs.get(text)
    if (run.record === null || run.state !== 'done')
      throw usageFailure(run.id, `this run is ${run.state} and has no set to use`, 'Name a run that is done.', [
        { action: 'show', page: 'runs' },
      ])
    const dataset = run.datasetId === null ? null : this.#library.datasets.byId(run.datasetId)
    if (dataset === null)
      throw usageFailure(
        run.id,
        `its dataset "${run.dataset}" was removed from the library`,
        'Import it again and repeat the run.',
      )
    return { run, record: run.record, dataset }
  }
}

function noSet(dataset: string): Failure {
  return usageFailure(
    undefined,
    `"${dataset}" is a dataset, so the set to check is missing`,
    'Give a file with one id a line, or name a run.',
  )
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

function excludeOfRun(): Failure {
  return usageFailure(
    undefined,
    'excluded vertices go with a set; a run is checked with the list that it was given',
    'Leave them out.',
  )
}

function otherSet(run: Run, verdict: Verdict): Failure {
  return new Failure({
    code: 'verification',
    where: run.id,
    what: `the result on disk is valid, but it is not the one that the run recorded: its hash is ${verdict.hash}, recorded was ${run.hash}`,
    remedy: 'The file was changed since; repeat the run.',
  })
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

/** What the result of a run claims to be, for algorithms that check it by themselves. */
function claimOfRun({ outcome: { algorithm, result, options } }: RunRecord, file: string): ResultClaim {
  return { algorithm, file, result, options }
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
