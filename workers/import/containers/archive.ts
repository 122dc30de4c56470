/**
 * Archives and compressed files as people bring them: tar, zip, gzip, bzip2, xz, zstd, nested as they come (NAME.tar.gz of
 * SuiteSparse, out.NAME.tar.bz2 of KONECT, NAME.zip of Network Repository). What a file is, its first bytes tell. Members
 * stream by once; what unpacks to far more than any graph would is refused before it fills the disk.
 */

import type { Entry, ZipFile } from 'yauzl'
import { Failure, inputFailure } from '../../base/failure.ts'
import { type JobContext, YieldScheduler } from '../../base/job.ts'
import type { StoredFile } from '../formats/stored-file.ts'
import { type Bytes, compressionOf, type CompressionName, unpacked } from './compressions.ts'
import { type ArchivedFile, isTar, type Member, readTar } from './tar.ts'

const HEAD_BYTES = 1 << 16
/** Compression within compression. */
const DEEPEST = 4
const MOST_MEMBERS = 10_000
/** Unpacked bytes: so many at least, and so many for each that is stored. */
const FREE_BYTES = 2 ** 30
const MOST_TIMES = 1000

export interface Archive {
  readonly kind: 'archive'
  /** From the outside: "gzip, tar". */
  readonly container: string
  /** All of its files, where a directory says them before the first one is read. */
  readonly members: readonly Member[] | null
  /** SHA-256 of its file, if that is known. */
  readonly sha256?: string
  /** The files, in their order. @throws Failure (input) for a damaged archive; (cancelled) */
  files(): AsyncIterable<ArchivedFile> | Iterable<ArchivedFile>
  close(): void
}

/** A file that is compressed otherwise than by gzip alone. */
interface Packed {
  readonly kind: 'packed'
  readonly names: readonly CompressionName[]
  bytes(): Bytes
}

/**
 * @param mostMembers more are refused
 * @returns null for a file that is no container, or whose readers unpack it
 * @throws Failure (input)
 */
export async function containerOf(
  file: StoredFile,
  job: JobContext,
  mostMembers = MOST_MEMBERS,
): Promise<Archive | Packed | null> {
  if (isZip(file.head(4))) return zipOf(file, job, mostMembers)
  const { names, isTar: isArchive } = await layersOf(file)
  const bytes = (): Bytes => watched(file, throughAll(storedBytes(file), names), job)
  if (!isArchive)
    return names.every((name) => name === 'gzip') && names.length < 2 ? null : { kind: 'packed', names, bytes }
  const damaged = (what: string): Failure =>
    inputFailure(file.name, `the archive is damaged: ${what}`, 'Download or copy it again.')
  const files = async function* (): AsyncGenerator<ArchivedFile> {
    let members = 0
    for await (const each of readTar(bytes(), damaged)) {
      requireFew(file, ++members, mostMembers)
      yield each
    }
  }
  return { kind: 'archive', container: [...names, 'tar'].join(', '), members: null, files, close: () => {} }
}

/** The failure of a library for damaged bytes; what is one already, or of the system, stays. */
export function asDamage(file: StoredFile, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof Failure || /^E[A-Z]+$/.test(code)) return error as Error
  return inputFailure(file.name, 'the compressed data are damaged or cut', 'Download or copy it again.')
}

async function* storedBytes(file: StoredFile): AsyncGenerator<Uint8Array> {
  for (const { bytes } of file.pieces()) yield bytes
}

const throughAll = (bytes: Bytes, names: readonly CompressionName[]): Bytes =>
  names.reduce((rest, name) => unpacked(name, rest), bytes)

/** The first bytes under some compressions; fewer where the data are damaged. */
async function headUnder(file: StoredFile, names: readonly CompressionName[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of throughAll(storedBytes(file), names)) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= HEAD_BYTES) break
    }
  } catch {
    // The reader reports the damage at its place.
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES)
}

/** Compressions from the outside, and whether an archive is within. */
export async function layersOf(file: StoredFile): Promise<{ names: readonly CompressionName[]; isTar: boolean }> {
  const names: CompressionName[] = []
  let head: Uint8Array = file.head(HEAD_BYTES)
  for (let found = compressionOf(head); found !== null; found = compressionOf(head)) {
    names.push(found)
    if (names.length > DEEPEST)
      throw inputFailure(file.name, `it is compressed more than ${DEEPEST} times over`, 'Unpack it yourself.')
    head = await headUnder(file, names)
  }
  return { names, isTar: isTar(head) }
}

async function* watched(file: StoredFile, bytes: Bytes, job: JobContext): AsyncGenerator<Uint8Array> {
  const scheduler = new YieldScheduler(job)
  let done = 0
  for await (const chunk of bytes) {
    done += chunk.length
    if (done > FREE_BYTES + MOST_TIMES * file.bytes)
      throw inputFailure(
        file.name,
        `${file.bytes} bytes unpack to more than ${MOST_TIMES} times as many, as no graph does`,
        'Unpack it yourself if you trust it.',
      )
    yield chunk
    await scheduler.yield({ phase: 'unpack', done, unit: 'bytes' })
  }
}

function requireFew(file: StoredFile, members: number, most: number): void {
  if (members > most) throw inputFailure(file.name, `the archive has more than ${most} files`, 'Unpack it yourself.')
}

const isZip = (head: Uint8Array): boolean => [0x50, 0x4b, 3, 4].every((byte, i) => head[i] === byte)

/** Archives of NumPy and of offices are formats of their own. */
const ownZip = /\.npy$|^\[Content_Types\]\.xml$|^mimetype$/

async function zipOf(file: StoredFile, job: JobContext, mostMembers: number): Promise<Archive | null> {
  const head = file.head(HEAD_BYTES)
  const first = Buffer.from(head.subarray(30, 30 + head[26]! + 256 * head[27]!)).toString('utf8')
  if (ownZip.test(first)) return null
  const { openPromise } = await import('yauzl')
  let zip: ZipFile | null = null
  try {
    zip = await openPromise(file.path, { lazyEntries: true, autoClose: false })
    return await archiveOf(file, zip, job, mostMembers)
  } catch (error) {
    zip?.close()
    if (error instanceof Failure) throw error
    throw inputFailure(
      file.name,
      'the zip archive is damaged: the list of its files cannot be read',
      'Download it again.',
    )
  }
}

async function archiveOf(file: StoredFile, zip: ZipFile, job: JobContext, mostMembers: number): Promise<Archive> {
  const members: ArchivedFile[] = []
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, uncompressedSize: bytes } = entry
    if (name.endsWith('/')) continue
    members.push({ name, bytes, chunks: () => unzipped(file, zip, entry, job) })
    requireFew(file, members.length, mostMembers)
  }
  return { kind: 'archive', container: 'zip', members, files: () => members, close: () => zip.close() }
}

async function* unzipped(file: StoredFile, zip: ZipFile, entry: Entry, job: JobContext): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted())
    throw inputFailure(`${file.name}/${entry.fileName}`, 'it is encrypted', 'Unpack it yourself.')
  yield* watched(file, (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>, job)
}
