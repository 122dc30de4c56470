import { availableParallelism, cpus, hostname } from 'node:os'
import { resolve } from 'node:path'
import { Failure, usageFailure } from '../../workers/base/failure.ts'
import { launchedRank, type Across, type LaunchedRank } from '../../workers/contract/jobs.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { Shell } from './shell.ts'

export interface AcrossOptions {
  readonly across?: Across
  readonly graph?: string
  readonly retries?: number
}

export type OwnRank = NonNullable<ReturnType<typeof rankOf>>

/**
 * This process among those that a launcher of MPI started; undefined for a run of one process.
 * @throws Failure (usage) where a launcher started several that would compute the same, each for itself
 */
export function rankOf({ across, graph, retries }: AcrossOptions, env = process.env) {
  const launched = launchedRank(env)
  if (across === undefined) {
    if (launched !== undefined && launched.ranks > 1) throw eachForItself(launched)
    if (graph === undefined) return undefined
    throw usageFailure('--graph', 'it has no meaning for a run on one machine', 'Leave it out, or add --across mpi.')
  }
  if (retries !== undefined && retries > 0)
    throw usageFailure('--retries', 'a rank that ended is not started again', 'Leave it out, and resume the run.')
  const graphPath = graph === undefined ? undefined : resolve(graph)
  return { rank: launched?.rank ?? 0, across: { by: across, version: manifest.version, graphPath } }
}

/** What all ranks fail with: rank 0 says it. */
export class SharedFailure extends Failure {}

export async function joinRank({ across, rank }: OwnRank, shell: Shell): Promise<void> {
  noteIfBound(rank, shell)
  const failure = await shell.withEngine((runner) =>
    runner.run('join-run', across, { ...shell.job, progress: () => {} }),
  )
  if (failure !== null) throw new SharedFailure(failure)
}

/** Open MPI gives each rank one processor unless it is asked otherwise. */
export function noteIfBound(rank: number, shell: Shell): void {
  const [own, all] = [availableParallelism(), cpus().length]
  if (own === 1 && all > 1)
    shell.note(
      `Rank ${rank} on ${hostname()} may use one of ${all} processors: start it with "mpirun --bind-to none" or "srun --cpus-per-task=${all}".`,
    )
}

function eachForItself({ ranks, launcher }: LaunchedRank): Failure {
  const what = `${launcher} started ${ranks} processes, and each of them would compute all by itself`
  return usageFailure('run', what, '', [{ action: 'launch', by: launcher }])
}
