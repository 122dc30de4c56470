/**
 * Takes the graph out of a container: an archive of tar or zip, or a compression that readers do not know, inside each other. Members by the
 * names of their formats are looked at first; several graphs are refused with their names, to choose one. What is unpacked goes to a scratch
 * folder, bounded by the free disk, and is removed with the import. reading.ts opens what is found.
 */

/**
 * Archives and compressed files as people bring them: tar, zip, gzip, bzip2, xz, zstd, nested as they come (NAME.tar.gz of
 * SuiteSparse, out.NAME.tar.bz2 of KONECT, NAME.zip of Network Repository). One pass: members stream by, and what may be
 * the graph goes to a scratch file; by the end the names of all are known, and the only graph stays. What unpacks to far
 * more than any graph would is refused before it fills the disk, and so is what the disk has no room for.
 *
 * Text that is gzip alone is not unpacked here: its readers stream it.
 */
import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { ZipFile } from 'yauzl'
import { excerpt, Failure, inputFailure } from '../../base/failure.ts'
import { type JobContext, YieldScheduler } from '../../base/job.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { requireSpace } from '../write-dataset.ts'
import { graphsAmong, mayBeGraph, memberNamed } from './choose-member.ts'
import { type Bytes, compressionOf, type CompressionName, nameWithin, unpacked } from './compressions.ts'
import { isTar, type Member, readTar } from './tar.ts'

const HEAD_BYTES = 1 << 16
/** Compression within compression. */
const DEEPEST = 4
const MOST_MEMBERS = 10_000
/** Unpacked bytes: so many at least, and so many for each that is stored. */
const FREE_BYTES = 2 ** 30
const MOST_TIMES = 1000
/** Written between two looks at the room on the disk. */
const LOOK_BYTES = 64 << 20

/** A file that was taken out of its container. */
export interface Contained {
  /** The place of the file, until `close`. */
  readonly path: string
  /** As messages call it: "graphs.tar.gz/graphs/graph.mtx". */
  readonly name: string
  /** What it was in, from the outside: "gzip, tar". */
  readonly container: string
  close(): void
}

interface Wanted {
  readonly member?: string | undefined
  /** A path that nothing has, for a folder of scratch. */
  readonly scratch: string
}

/**
 * Takes the graph out of a container.
 * @returns null for a file that is none, or that its reader unpacks
 * @throws Failure (input) for a damaged one, one without a graph, or of several; (storage); (cancelled)
 */
export async function openContainer(source: string, wanted: Wanted, job: JobContext): Promise<Contained | null> {
  const file = StoredFile.open(source)
  try {
    if (isZip(file.head(4))) return await fromZip(file, wanted, job)
    const layers = await layersOf(file)
    if (layers.names.length === 0 && !layers.isTar) return null
    const isReadAsItIs = layers.names.join() === 'gzip' && !layers.isTar
    if (isReadAsItIs) return null
    const work = new Extraction(file, wanted, job)
    try {
      return layers.isTar ? await work.ofTar(layers.names) : await work.ofStream(layers.names)
    } catch (error) {
      work.close()
      throw error instanceof Failure ? error : asDamage(file, error)
    }
  } finally {
    file.close()
  }
}

const isZip = (head: Uint8Array): boolean => [0x50, 0x4b, 3, 4].every((byte, i) => head[i] === byte)

const noContainer = (file: StoredFile): Failure =>
  inputFailure(file.name, 'this file is no archive, and a member of one is asked for', 'Leave the member out.')

function asDamage(file: StoredFile, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^E[A-Z]+$/.test(code)) return error as Error
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
async function layersOf(file: StoredFile): Promise<{ names: readonly CompressionName[]; isTar: boolean }> {
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

/** What is written to the scratch folder, and how much of it. */
class Extraction {
  readonly #file: StoredFile
  readonly #wanted: Wanted
  readonly #job: JobContext
  readonly #scheduler: YieldScheduler
  #bytes = 0
  #written = 0

  constructor(file: StoredFile, wanted: Wanted, job: JobContext) {
    this.#file = file
    this.#wanted = wanted
    this.#job = job
    this.#scheduler = new YieldScheduler(job)
    mkdirSync(wanted.scratch, { recursive: true })
  }

  close(): void {
    rmSync(this.#wanted.scratch, { recursive: true, force: true })
  }

  async ofStream(names: readonly CompressionName[]): Promise<Contained> {
    if (this.#wanted.member !== undefined) throw noContainer(this.#file)
    const name = names.reduce((rest, each) => nameWithin(rest, each), basename(this.#file.name))
    const path = join(this.#wanted.scratch, name === '' ? 'graph' : name)
    const write = this.#writer(path)
    for await (const chunk of this.#watched(throughAll(storedBytes(this.#file), names))) await write.some(chunk)
    await write.end()
    return this.#contained(path, this.#file.name, names.join(', '))
  }

  async ofTar(names: readonly CompressionName[]): Promise<Contained> {
    const damaged = (what: string): Failure =>
      inputFailure(this.#file.name, `the archive is damaged: ${what}`, 'Download or copy it again.')
    const found = new Members(this.#file, this.#wanted.member)
    let last: Writer | null = null
    const take = async (member: Member) => {
      await last?.end()
      last = null
      const place = found.add(member)
      if (place === null) return null
      const writer = (last = this.#writer(join(this.#wanted.scratch, place)))
      return (bytes: Uint8Array) => writer.some(bytes)
    }
    await readTar(this.#watched(throughAll(storedBytes(this.#file), names)), take, damaged)
    await (last as Writer | null)?.end()
    return this.#chosen(found, [...names, 'tar'].join(', '))
  }

  async ofZip(zip: ZipFile): Promise<Contained> {
    const found = new Members(this.#file, this.#wanted.member)
    const entries = []
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue
      const place = found.add({ name: entry.fileName, bytes: entry.uncompressedSize })
      if (place !== null) entries.push({ entry, place })
    }
    const chosen = found.chosen()
    const { entry } = entries.find(({ place }) => place === chosen.place)!
    if (entry.isEncrypted())
      throw inputFailure(`${this.#file.name}/${chosen.name}`, 'it is encrypted', 'Unpack it yourself.')
    const write = this.#writer(join(this.#wanted.scratch, chosen.place))
    const stream = await zip.openReadStreamPromise(entry)
    for await (const chunk of this.#watched(stream as AsyncIterable<Uint8Array>)) await write.some(chunk)
    await write.end()
    return this.#chosen(found, 'zip')
  }

  #chosen(found: Members, container: string): Promise<Contained> {
    const { name, place } = found.chosen()
    return this.#contained(join(this.#wanted.scratch, place), `${this.#file.name}/${name}`, container)
  }

  /** What is compressed within is unpacked, too. */
  async #contained(path: string, name: string, container: string): Promise<Contained> {
    const close = (): void => this.close()
    const inner = StoredFile.open(path, name)
    const layers = await layersOf(inner).finally(() => inner.close())
    if (layers.isTar)
      throw inputFailure(name, 'there is an archive within the archive', 'Unpack it, and import what is in it.')
    if (layers.names.every((each) => each === 'gzip')) return { path, name, container, close }
    const scratch = join(this.#wanted.scratch, 'within')
    const within = await openContainer(path, { scratch }, this.#job)
    return within === null
      ? { path, name, container, close }
      : { ...within, name, container: `${container}, ${within.container}`, close }
  }

  async *#watched(bytes: Bytes): AsyncGenerator<Uint8Array> {
    const { bytes: stored } = this.#file
    for await (const chunk of bytes) {
      this.#bytes += chunk.length
      if (this.#bytes > FREE_BYTES + MOST_TIMES * stored)
        throw inputFailure(
          this.#file.name,
          `${stored} bytes unpack to more than ${MOST_TIMES} times as many, as no graph does`,
          'Unpack it yourself if you trust it.',
        )
      yield chunk
      await this.#scheduler.yield({ phase: 'unpack', done: this.#bytes, unit: 'bytes' })
    }
  }

  #writer(path: string): Writer {
    return new Writer(path, (bytes) => {
      const before = Math.floor(this.#written / LOOK_BYTES)
      this.#written += bytes
      if (Math.floor(this.#written / LOOK_BYTES) > before)
        requireSpace(
          this.#wanted.scratch,
          LOOK_BYTES,
          (size) => `unpacking ${this.#file.name} needs ${size} more`,
          'unpacked',
        )
    })
  }
}

class Writer {
  readonly #stream
  readonly #done
  readonly #look

  constructor(path: string, look: (bytes: number) => void) {
    mkdirSync(dirname(path), { recursive: true })
    this.#stream = createWriteStream(path, { flags: 'wx' })
    this.#done = finished(this.#stream)
    this.#done.catch(() => {})
    this.#look = look
  }

  async some(bytes: Uint8Array): Promise<void> {
    this.#look(bytes.length)
    await new Promise<void>((resolve, reject) =>
      this.#stream.write(bytes, (error) => (error === null || error === undefined ? resolve() : reject(error))),
    )
  }

  async end(): Promise<void> {
    this.#stream.end()
    await this.#done
  }
}

/** Those that went by, and where on the scratch disk they are. */
class Members {
  readonly #file: StoredFile
  readonly #wanted: string | undefined
  readonly #all: Member[] = []
  readonly #places = new Map<Member, string>()

  constructor(file: StoredFile, wanted: string | undefined) {
    this.#file = file
    this.#wanted = wanted
  }

  /** @returns a name for the scratch file of what may be the graph; else null */
  add(member: Member): string | null {
    if (this.#all.push(member) > MOST_MEMBERS)
      throw inputFailure(this.#file.name, `the archive has more than ${MOST_MEMBERS} files`, 'Unpack it yourself.')
    const isWanted = this.#wanted === undefined ? mayBeGraph(member) : memberNamed([member], this.#wanted) !== null
    if (!isWanted) return null
    // The end of a name tells the format; a name of its own keeps two of one name apart.
    const place = join(String(this.#places.size), basename(member.name.replaceAll('\\', '/')))
    this.#places.set(member, place)
    return place
  }

  /** @throws Failure (input) where there is none, or a person has to choose */
  chosen(): { readonly name: string; readonly place: string } {
    const [file, wanted] = [this.#file.name, this.#wanted]
    const listed = this.#all.slice(0, 20).map(({ name }) => name)
    const list = `${listed.join(', ')}${this.#all.length > 20 ? ', ...' : ''}`
    if (wanted !== undefined) {
      const found = memberNamed(this.#all, wanted)
      if (found !== null) return { name: found.name, place: this.#places.get(found)! }
      throw inputFailure(file, `the archive has no file "${excerpt(wanted)}", or several: ${list}`, '', [CHOOSE_MEMBER])
    }
    const graphs = graphsAmong(this.#all)
    if (graphs.length === 1) return { name: graphs[0]!.name, place: this.#places.get(graphs[0]!)! }
    const what =
      graphs.length === 0
        ? `no file of the archive looks like a graph: ${list === '' ? 'it is empty' : list}`
        : `${graphs.length} files of the archive may be the graph: ${graphs
            .slice(0, 20)
            .map(({ name }) => name)
            .join(', ')}`
    throw inputFailure(file, what, '', [CHOOSE_MEMBER])
  }
}

const CHOOSE_MEMBER = { action: 'choose', option: 'member' } as const

/** Archives of NumPy and of offices are formats of their own. */
const ownZip = /\.npy$|^\[Content_Types\]\.xml$|^mimetype$/

async function fromZip(file: StoredFile, wanted: Wanted, job: JobContext): Promise<Contained | null> {
  const head = file.head(HEAD_BYTES)
  const first = Buffer.from(head.subarray(30, 30 + head[26]! + 256 * head[27]!)).toString('utf8')
  if (ownZip.test(first)) return null
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(file.path, { lazyEntries: true, autoClose: false }).catch(() => {
    throw inputFailure(
      file.name,
      'the zip archive is damaged: the list of its files cannot be read',
      'Download it again.',
    )
  })
  const work = new Extraction(file, wanted, job)
  try {
    return await work.ofZip(zip)
  } catch (error) {
    work.close()
    throw error instanceof Failure ? error : asDamage(file, error)
  } finally {
    zip.close()
  }
}

export const scratchName = (folder: string): string =>
  `${folder}.partial-${process.pid}-${randomBytes(4).toString('hex')}`
