import { rmSync } from 'node:fs'
import { checksumOf, requireWhole } from '../graph/open-graph.ts'
import { Failure } from '../base/failure.ts'
import { removeResult } from '../graph/result-file.ts'
import { areDamagedTiles } from '../graph/tiles/tile-file.ts'
import type { JobContext } from '../base/job.ts'
import type { RunArgs, RunOutcome } from '../contract/jobs.ts'

/**
 * A run whose inputs are checked. Whatever is read of the graph is verified as it passes by; where a result fails verification, all
 * of the graph is compared with its identity: then one of the two is wrong, and this tells which. Tiles that turn out damaged are taken
 * away, so that the next run builds them anew.
 */
export async function onSoundInputs(
  args: RunArgs,
  job: JobContext,
  run: (args: RunArgs, job: JobContext) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  try {
    const outcome = await run(args, job)
    if (outcome.verification?.verified === false) requireSoundGraph(args, job)
    return outcome
  } catch (error) {
    if (!areDamagedTiles(error)) throw error
    rmSync(error.where, { force: true })
    throw new Failure({
      ...error.toValue(),
      remedy: 'It was removed: run it again, and it is built anew. If it happens again, check the disk.',
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
