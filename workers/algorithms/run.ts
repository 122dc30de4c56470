import { algorithmEntries } from '../contract/catalogue.ts'
import { Failure } from '../base/failure.ts'
import type { JobContext } from '../base/job.ts'
import type { AlgorithmName, Priority, RunArgs, RunOutcome } from '../contract/jobs.ts'
import { requireOptions, requirePriority } from './require-options.ts'
import { runSet } from './ecl-mis/run-set.ts'
import { onSoundInputs } from './sound-inputs.ts'

/** A run under a priority, and not under a heuristic of TC-MIS. */
export type SetRunArgs = RunArgs & { readonly priority: Priority }

type Program = (args: RunArgs, job: JobContext) => Promise<RunOutcome>

/** What computes each algorithm of the catalogue; loaded when it is asked for, but for the one that people ask for most. */
const programs: Partial<Record<AlgorithmName, Program>> = {
  'ecl-mis': (args, job) => runSet(withPriority(args), job),
  'mg-mis': async (args, job) => (await import('./mg-mis/run-mg-mis.ts')).runMgMis(withPriority(args), job),
  'tc-mis': async (args, job) => (await import('./tc-mis/run-tc-mis.ts')).runTcMis(args, job),
  'ld-gpu': async (args, job) => (await import('./ld-gpu/run-ld-gpu.ts')).runLdGpu(args, job),
}

/** Job `run`. @throws Failure as {@link runAlgorithm}; (input) for a graph that is damaged */
export function runOnSoundInputs(args: RunArgs, job: JobContext): Promise<RunOutcome> {
  return onSoundInputs(args, job, runAlgorithm)
}

/** @throws Failure (usage) for an algorithm that this version does not have, or an option that it does not take */
export async function runAlgorithm(args: RunArgs, job: JobContext): Promise<RunOutcome> {
  const program = programs[args.algorithm]
  if (program !== undefined) {
    requireOptions(args)
    // From here on it runs: a GPU may take a while to open and to compile for.
    job.progress({ phase: 'open', done: 0, unit: 'vertices' })
    return program(args, job)
  }
  throw new Failure({
    code: 'usage',
    where: `--algorithm ${args.algorithm}`,
    what: 'this version does not have it',
    remedy: `Use one of ${algorithmEntries.map(({ name }) => name).join(', ')}.`,
  })
}

/** @throws Failure (usage) for a heuristic of TC-MIS */
const withPriority = (args: RunArgs): SetRunArgs => ({ ...args, priority: requirePriority(args.priority) })
