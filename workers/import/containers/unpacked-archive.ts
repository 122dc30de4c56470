/** An archive that was unpacked to a folder once, for several imports: a tar would be read from its beginning for each. */

import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileStamp, type StoredFile } from '../formats/stored-file.ts'
import type { Archive } from './archive.ts'
import type { Bytes } from './compressions.ts'
import type { Member } from './tar.ts'

const INDEX = 'members.json'

/** Plain JSON. */
interface Index {
  readonly container: string
  /** The archive, as it was unpacked. */
  readonly stamp: string
  readonly sha256: string
  /** Places in the folder; absent for files that are no graphs. */
  readonly members: readonly (Member & { readonly place?: string | undefined })[]
}

/** The files of an archive that was unpacked. */
interface UnpackedFiles {
  readonly all: readonly Member[]
  placeOf(member: Member): string | undefined
}

/** @throws Failure (storage) */
export function writeIndex(
  { path }: StoredFile,
  container: string,
  sha256: string,
  files: UnpackedFiles,
  folder: string,
): void {
  const members = files.all.map((member) => ({ ...member, place: files.placeOf(member) }))
  const index: Index = { container, stamp: fileStamp(path), sha256, members }
  writeFileSync(join(folder, INDEX), JSON.stringify(index))
}

/** @returns null without such a folder, and where the archive was written since */
export function unpackedArchive({ path }: StoredFile, folder: string | undefined): Archive | null {
  if (folder === undefined || !existsSync(join(folder, INDEX))) return null
  const { container, stamp, sha256, members: all } = JSON.parse(readFileSync(join(folder, INDEX), 'utf8')) as Index
  if (stamp !== fileStamp(path)) return null
  const members = all.map((member) => ({
    ...member,
    chunks: (): Bytes => createReadStream(join(folder, member.place!)),
  }))
  const files = () => members.filter(({ place }) => place !== undefined)
  return { kind: 'archive', container, members, sha256, files, close: () => {} }
}
