import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readSealed, writeSealed } from '../base/sealed-json.ts'
import { type Failure, asFailure, inputFailure } from '../base/failure.ts'
import { LINK_FILE } from '../contract/jobs.ts'
import type { GraphFile } from './graph-file.ts'

/** What a dataset knows of a canonical file that stays where it is, in LINK_FILE of its folder; its sums are beside that. */
export interface GraphLink {
  /** Absolute; of a copy within the dataset's folder its name there. */
  readonly path: string
  readonly bytes: number
  /** Time of its last change in nanoseconds, in digits. */
  readonly changedNs: string
  /** What its bytes mean. */
  readonly layout: Omit<GraphFile, 'path' | 'sumsPath' | 'bytes'>
}

export const LINK_SUMS = `${LINK_FILE}.sums`

/** The link of a dataset folder; null where it has none. @throws Failure (input) where it is damaged */
export function readLink(folder: string): GraphLink | null {
  const path = join(folder, LINK_FILE)
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null
  const link = readSealed(path)
  if (link === undefined)
    throw inputFailure(path, 'the link of this dataset is damaged', 'Remove the dataset, and import its file again.')
  return { ...(link as GraphLink), path: resolve(folder, (link as GraphLink).path) }
}

/** Stores a link. @param into where the folder is for now @throws Failure (storage) */
export function writeLink(folder: string, link: GraphLink, into = folder): void {
  const isInside = dirname(link.path) === resolve(folder)
  writeSealed(join(into, LINK_FILE), { ...link, path: isInside ? basename(link.path) : link.path })
}

/** Length and time of a file as a link keeps them. @throws Failure (input) when it is not there */
export function stampOf(path: string): Pick<GraphLink, 'bytes' | 'changedNs'> {
  try {
    const { size, mtimeNs } = statSync(path, { bigint: true })
    return { bytes: Number(size), changedNs: String(mtimeNs) }
  } catch (error) {
    throw asFailure(error, path)
  }
}

/**
 * Whether a linked file is as it was by length and time.
 * @returns false where its time alone differs: its content decides
 * @throws Failure (input) when it is gone, or longer or shorter
 */
export function isUntouched({ path, bytes, changedNs }: GraphLink): boolean {
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw inputFailure(
      path,
      'the file that this dataset is linked to is gone',
      'Put it back, or remove the dataset and import the file from where it is now.',
    )
  const now = stampOf(path)
  if (now.bytes !== bytes) throw changedFile(path, `it has ${now.bytes} bytes, and had ${bytes}`)
  return now.changedNs === changedNs
}

/** @param how it changed: "it has 7 bytes, and had 8" */
export function changedFile(path: string, how: string): Failure {
  return inputFailure(path, `${LINK_CHANGED.what}: ${how}`, LINK_CHANGED.remedy)
}

export const LINK_CHANGED = {
  what: 'the file changed since it was linked',
  remedy: 'Put the old file back, or remove the dataset and import the file again; no answer was computed from it.',
}
