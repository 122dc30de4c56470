import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure, type FailureValue, OTHER_LIBRARY } from '../base/failure.ts'
import { preparingBytes, freeDiskBytes } from '../base/host-resources.ts'
import type { ImportArgs, PlanArgs, ResourcePlan } from '../contract/jobs.ts'
import { sizeOfTarget } from '../algorithms/estimate.ts'
import { sizeInWords } from '../algorithms/plan-refusal.ts'
import { type FileEstimate, importStep, sampleGraphFile } from '../import/estimate.ts'

type Sources = Pick<ImportArgs, 'source' | 'sources' | 'format' | 'memoryBytes'>

/**
 * What cannot be sampled is left to the import. @param mayCopy false where a file that looked canonical is not
 * @throws Failure (storage) with both figures
 */
export function requireRoomForImport(args: ImportArgs, mayCopy = true): void {
  const refusal = importRefusal(args, dirname(args.folder), mayCopy)
  if (refusal !== null) throw new Failure(refusal)
}

/** @throws Failure (input) for a file that is no graph */
export function planImport(
  args: PlanArgs,
  { source, format }: Extract<PlanArgs['target'], { kind: 'file' }>,
): ResourcePlan {
  const { vertices, arcs, exact, basis, steps } = sizeOfTarget(args)
  const [{ hostBytes, scratchBytes, diskBytes }] = steps as [ResourcePlan['steps'][number]]
  const needed = { hostBytes, deviceBytes: 0, scratchBytes, diskBytes, peakDiskBytes: scratchBytes + diskBytes }
  const folder = join(args.folder, 'datasets')
  return {
    ...{ vertices, arcs, exact, basis, device: args.device, lanes: [], batches: 0, steps, passes: 1, needed },
    available: { hostBytes: totalmem(), deviceBytes: null, diskBytes: freeDiskBytes(folder) },
    refusal: importRefusal({ source, format, memoryBytes: args.hostBytes }, folder),
  }
}

/** null where it has room, or is not known. */
function importRefusal(
  { source, sources = [], format, memoryBytes }: Sources,
  folder: string,
  mayCopy = true,
): FailureValue | null {
  const budgetBytes = memoryBytes ?? preparingBytes()
  let neededBytes = 0
  for (const file of [source, ...sources]) {
    const estimate = estimateOrNull(file, format)
    if (estimate?.counted !== true) return null
    const isCopied = estimate.copied === true && mayCopy && sources.length === 0
    const { scratchBytes, diskBytes } = importStep(isCopied ? estimate : readByEntry(estimate), budgetBytes)
    neededBytes += scratchBytes + diskBytes
  }
  const availableBytes = freeDiskBytes(folder)
  if (neededBytes <= availableBytes) return null
  return {
    code: 'storage',
    where: folder,
    what: `importing this takes up to ${sizeInWords(neededBytes)} of disk, and ${sizeInWords(availableBytes)} are free`,
    remedy: 'Free some space; nothing was written.',
    fixes: [OTHER_LIBRARY],
  }
}

/** What looked canonical may be any graph: a directed one gets as many arcs again. */
const readByEntry = (file: FileEstimate): FileEstimate =>
  file.copied === true ? { ...file, copied: false, arcs: 2 * file.entries } : file

function estimateOrNull(source: string, format: ImportArgs['format']): FileEstimate | null {
  try {
    return sampleGraphFile(source, format)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
