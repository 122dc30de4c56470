import { join } from 'node:path'
import { loadAlgorithm } from '../../workers/algorithms/registry.ts'
import { computeWith } from '../../workers/algorithms/run.ts'
import { quietJob } from '../../workers/base/job.ts'
import type { RunArgs, RunOutcome } from '../../workers/contract/jobs.ts'
import type { Device } from '../../workers/device/device.ts'
import { readValues } from '../../workers/graph/result-file.ts'
import { readBits } from '../../workers/graph/vertex-set.ts'

export interface ValuesRun {
  readonly outcome: RunOutcome
  readonly values: Uint32Array
}

/** A verified run of a dataset folder on this thread, and the values or the members of its result. */
export async function valuesRun(
  { folder, checksum }: { readonly folder: string; readonly checksum: string },
  vertices: number,
  args: Partial<RunArgs> & Pick<RunArgs, 'algorithm'>,
  device?: Device,
): Promise<ValuesRun> {
  const resultFile = join(folder, 'result')
  const all = { folder, checksum, device: device?.facts.id ?? 'cpu:0', seed: 0, verify: true, resultFile, ...args }
  const outcome = await computeWith(await loadAlgorithm(args.algorithm), all, quietJob, device)
  const values =
    outcome.result.kind === 'values'
      ? readValues(resultFile, vertices, outcome.result.hash)
      : Uint32Array.from(readBits(resultFile, vertices).members())
  return { outcome, values }
}
