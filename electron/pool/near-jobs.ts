import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Failure } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import {
  type ImportArgs,
  isForProcessor,
  type JobName,
  type Jobs,
  type NearJob,
  type RunArgs,
} from '../../workers/contract/jobs.ts'
import { SMALL_BYTES } from './gpu-presence.ts'
import { findEntry, type JobRunner } from './pool.ts'
import { isShortFile } from './short-files.ts'

const ENTRY = 'near-job.js'
/** Faults that tests ask for are those of engines. */
const isFaulty = process.env['ANTICLIQUE_FAULT'] !== undefined

interface NearEntry {
  readonly doJob: NearJob
  isSmallGraph(args: ImportArgs): Promise<boolean>
}

/** Does what is short in this thread, without an engine, and leaves the rest to engines. */
export class NearJobs implements JobRunner {
  readonly #far: JobRunner
  readonly #later: (() => void)[] = []

  constructor(far: JobRunner) {
    this.#far = far
  }

  /** @throws Failure as the job */
  async run<N extends JobName>(name: N, args: Jobs[N]['args'], context: JobContext): Promise<Jobs[N]['result']> {
    if (isFaulty || !isShort(name, args)) return this.#far.run(name, args, context)
    const { doJob, isSmallGraph } = createRequire(import.meta.url)(findEntry(ENTRY)) as NearEntry
    if (name === 'import' && !(await isSmallGraph(args as ImportArgs))) return this.#far.run(name, args, context)
    const afterwards = (work: () => void): void => void this.#later.push(work)
    const reply = await doJob(name, args, { ...context, afterwards })
    if (reply.type === 'done') return reply.result as Jobs[N]['result']
    const failure = new Failure(reply.failure)
    if (reply.stack !== undefined) failure.stack = reply.stack
    throw failure
  }

  close(): Promise<void> {
    for (const work of this.#later.splice(0)) work()
    return this.#far.close()
  }
}

/** A set or a matching of a small graph of the library, its check or its export, or the import of a short file. */
function isShort(name: JobName, args: Jobs[JobName]['args']): boolean {
  if (name === 'run') return isShortRun(args as RunArgs)
  if (name === 'import') return isShortImport(args as ImportArgs)
  if (name === 'link') return isShortFile((args as ImportArgs).source, bytesOf((args as ImportArgs).source))
  if (name !== 'verify') return name === 'export' && isSmall((args as Jobs['export']['args']).folder)
  const { claim, folder } = args as Jobs['verify']['args']
  return isSmall(folder) && (claim === undefined || isForProcessor({}, claim.algorithm, 0))
}

const isShortRun = ({ device, algorithm, across, unchecked, folder, ...options }: RunArgs): boolean =>
  device === 'cpu:0' &&
  across === undefined &&
  unchecked === undefined &&
  isForProcessor(options, algorithm, 0) &&
  isSmall(folder)

function isShortImport({ source, sources = [], vertices, labels, resume }: ImportArgs): boolean {
  const files = [
    source,
    ...sources,
    ...(vertices === undefined ? [] : [vertices]),
    ...(labels === undefined ? [] : [labels]),
  ]
  return resume !== true && files.every((file) => isShortFile(file, bytesOf(file)))
}

/** Packed and linked graphs are not. */
const isSmall = (folder: string): boolean => bytesOf(join(folder, 'graph.gr')) <= SMALL_BYTES

/** Bytes of a file; of a pipe, and of what is not there, Infinity. */
function bytesOf(path: string): number {
  try {
    const found = statSync(path)
    return found.isFile() ? found.size : Infinity
  } catch {
    return Infinity
  }
}
