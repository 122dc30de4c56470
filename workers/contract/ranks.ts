export interface LaunchedRank {
  readonly rank: number
  readonly ranks: number
  /** What a person starts instead of it. */
  readonly launcher: 'mpirun' | 'srun'
}

/** Variables of each launcher: Open MPI, PMI (MPICH, Intel, Cray), Slurm. In a batch script of Slurm itself nothing is launched yet. */
const launchers = [
  ['OMPI_COMM_WORLD_RANK', 'OMPI_COMM_WORLD_SIZE', 'mpirun'],
  ['PMI_RANK', 'PMI_SIZE', 'mpirun'],
  ['SLURM_PROCID', 'SLURM_STEP_NUM_TASKS', 'srun'],
] as const

/** undefined: this process was started by itself */
export function launchedRank(env: Readonly<Record<string, string | undefined>>): LaunchedRank | undefined {
  for (const [rank, ranks, launcher] of launchers)
    if (env[rank] !== undefined && env[ranks] !== undefined)
      return {
        rank: Number(env[rank]),
        ranks: Number(env[ranks]),
        launcher: env['SLURM_STEP_NUM_TASKS'] === undefined ? launcher : 'srun',
      }
  return undefined
}

/** Ways between the processes of a run on several machines. */
export const acrossWays = ['mpi'] as const
export type Across = (typeof acrossWays)[number]

export interface AcrossArgs {
  readonly by: Across
  /** Ranks of different versions do not compute together. */
  readonly version: string
  /** The graph's file as this rank reads it; absent: where rank 0 has it. */
  readonly graphPath?: string | undefined
}

/** The place of a failure when a run is cancelled that its ranks agreed to stop. */
export const ALL_RANKS = 'all ranks'
