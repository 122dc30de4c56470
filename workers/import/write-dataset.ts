import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writeSums, type Sums, SUMS_SUFFIX } from '../base/sums.ts'
import { asFailure, Failure, inputFailure, OTHER_LIBRARY } from '../base/failure.ts'
import type { ImportReport } from '../contract/jobs.ts'
import { FileWriter } from './file-writer.ts'

const REPORT_FILE = 'report.json'
const REPORT_BYTES = 64 << 10

/** @throws Failure (input) */
export function refuseTakenName(folder: string): void {
  if (existsSync(folder))
    throw inputFailure(folder, `the name "${basename(folder)}" is taken`, 'Remove that one.', [
      { action: 'choose', option: 'name' },
    ])
}

/**
 * Makes a dataset folder aside and renames it when complete; nothing stays behind where `fill` returns null or
 * throws.
 * @param bytes that `fill` writes beside the report
 * @throws Failure (storage); (input) when the name is taken; whatever `fill` throws
 */
export async function makeDatasetFolder<T>(
  folder: string,
  bytes: number,
  fill: (aside: string) => Promise<T>,
): Promise<T> {
  refuseTakenName(folder)
  const aside = `${folder}.partial-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    mkdirSync(dirname(folder), { recursive: true })
    requireSpace(dirname(folder), bytes + REPORT_BYTES)
    mkdirSync(aside)
    const made = await fill(aside)
    if (made === null) rmSync(aside, { recursive: true, force: true })
    else {
      syncFolder(aside)
      takeName(aside, folder)
    }
    return made
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    throw asFailure(error, folder)
  }
}

export async function writeReport(folder: string, report: ImportReport): Promise<void> {
  await writeText(join(folder, REPORT_FILE), reportText(report))
}

/** Gives a whole graph on the disk its report and its name. @throws Failure (storage); (input) when the name is taken */
export async function finishDataset(aside: string, folder: string, report: ImportReport): Promise<void> {
  // Left by a killed import.
  rmSync(join(aside, REPORT_FILE), { force: true })
  await writeReport(aside, report)
  syncFolder(aside)
  takeName(aside, folder)
}

function reportText(report: ImportReport): string {
  return `${JSON.stringify(report, null, 2)}\n`
}

export async function writeSummed(path: string, fill: (file: FileWriter) => Promise<void> | void): Promise<Sums> {
  const sums = await writeFile(path, fill)
  writeSums(`${path}${SUMS_SUFFIX}`, sums)
  return sums
}

async function writeFile(path: string, fill: (file: FileWriter) => Promise<void> | void): Promise<Sums> {
  const file = new FileWriter(path)
  try {
    await fill(file)
    return await file.finish()
  } finally {
    file.close()
  }
}

/** Without sums. */
export async function writeText(path: string, text: string): Promise<void> {
  await writeFile(path, (file) => file.write(Buffer.from(text)))
}

function requireSpace(folder: string, neededBytes: number): void {
  const disk = statfsSync(folder)
  const availableBytes = disk.bavail * disk.bsize
  if (neededBytes <= availableBytes) return
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`
  throw new Failure({
    code: 'storage',
    where: folder,
    what: `the dataset takes ${mib(neededBytes)}, and the disk has ${mib(availableBytes)} left`,
    remedy: 'Free some space; nothing was written.',
    fixes: [OTHER_LIBRARY],
  })
}

function takeName(aside: string, folder: string): void {
  refuseTakenName(folder)
  try {
    renameSync(aside, folder)
  } catch (error) {
    // Another process was faster.
    refuseTakenName(folder)
    throw error
  }
  syncFolder(dirname(folder))
}

/** Makes names durable; Windows cannot open folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
