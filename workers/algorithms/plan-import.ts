import { dirname } from 'node:path'
import { Failure } from '../failure.ts'
import { defaultBudgetBytes } from '../graph/prepare-view.ts'
import { freeDiskBytes } from '../graph/views/disk-space.ts'
import type { ImportArgs } from '../jobs.ts'
import { sizeInWords } from './plan-refusal.ts'
import type { FileEstimate } from './plan-sample.ts'
import { sampleGraphFile } from './plan-sample.ts'
import { importStep } from './plan-steps.ts'

/**
 * Refuses an import that the disk has no room for, before anything is read. What cannot be sampled is left to the import, which
 * says what is wrong with it; so are formats whose entries nobody can count ahead.
 * @throws Failure (storage) with both figures
 */
export function requireRoomForImport(args: ImportArgs): void {
  const budgetBytes = args.memoryBytes ?? defaultBudgetBytes()
  let neededBytes = 0
  for (const source of [args.source, ...(args.sources ?? [])]) {
    const estimate = estimateOrNull(source, args)
    if (estimate?.counted !== true) return
    const { scratchBytes, diskBytes } = importStep(estimate, budgetBytes)
    neededBytes += scratchBytes + diskBytes
  }
  const folder = dirname(args.folder)
  const availableBytes = freeDiskBytes(folder)
  if (neededBytes <= availableBytes) return
  throw new Failure({
    code: 'storage',
    where: folder,
    what: `importing this takes up to ${sizeInWords(neededBytes)} of disk, and ${sizeInWords(availableBytes)} are free`,
    remedy: `See "anticlique plan FILE". Free some space, or choose a library on another disk with --library; nothing was written.`,
  })
}

function estimateOrNull(source: string, { format }: ImportArgs): FileEstimate | null {
  try {
    return sampleGraphFile(source, format)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
