/**
 * Takes the graph out of a container, with the table of its vertices where there is one. One pass: members stream by, and what may be
 * either goes to a scratch folder; by the end the names of all are known, and the only graph stays. Several are refused with their names,
 * to choose one. The disk bounds what is unpacked, which goes with the import. reading.ts opens what is found.
 *
 * Text that is gzip alone is not unpacked here: its readers stream it.
 */

import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { excerpt, inputFailure } from '../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { requireSpace } from '../build/write-dataset.ts'
import { type Archive, asDamage, containerOf, layersOf } from './archive.ts'
import {
  besideGraph,
  featuresBeside,
  graphsAmong,
  isGraphNumber,
  mayBeBeside,
  mayBeGraph,
  memberNamed,
} from './choose-member.ts'
import { type Bytes, nameWithin, writeBytes } from './compressions.ts'
import type { Member } from './tar.ts'
import { unpackedArchive, writeIndex } from './unpacked-archive.ts'

/** Written between two looks at the room on the disk. */
const LOOK_BYTES = 64 << 20

/** A file of the scratch folder. */
export interface Unpacked {
  /** The place of the file, until the container is closed. */
  readonly path: string
  /** As messages call it: "graphs.tar.gz/graphs/graph.mtx". */
  readonly name: string
}

/** A graph that was taken out of its container. */
export interface Contained extends Unpacked {
  /** What it was in, from the outside: "gzip, tar". */
  readonly container: string
  /** The one of several graphs of the file that was asked for. */
  readonly member?: string | undefined
  /** Files that tell more of its vertices. */
  readonly beside: readonly Unpacked[]
  /** SHA-256 of the container, if it is known. */
  readonly sha256?: string | undefined
  close(): void
}

interface Wanted {
  readonly member?: string | undefined
  /** A path that nothing has, for a folder of scratch. */
  readonly scratch: string
  /** The folder of {@link unpackForSeveral}, if there is one. */
  readonly unpacked?: string | undefined
}

/**
 * Takes the graph out of a container.
 * @returns null for a file that is none, or that its reader unpacks
 * @throws Failure (input) for a damaged one, one without a graph, or of several; (storage); (cancelled)
 */
export async function openContainer(source: string, wanted: Wanted, job: JobContext): Promise<Contained | null> {
  const file = StoredFile.open(source)
  try {
    const found = unpackedArchive(file, wanted.unpacked) ?? (await containerOf(file, job))
    if (found === null) return null
    const work = new Extraction(file, wanted, job)
    try {
      if (found.kind === 'archive') return await work.ofArchive(found)
      const place = found.names.reduce((rest, each) => nameWithin(rest, each), basename(file.name))
      return await work.ofStream(found.bytes(), place, found.names.join(', '))
    } catch (error) {
      work.close()
      throw asDamage(file, error)
    } finally {
      if (found.kind === 'archive') found.close()
    }
  } finally {
    file.close()
  }
}

/** Takes out of an archive all that may be a graph or go with one, in one pass: {@link openContainer} finds it in the folder. @returns all members */
export async function unpackForSeveral(file: StoredFile, archive: Archive, folder: string, job: JobContext) {
  const work = new Extraction(file, { scratch: folder }, job)
  const found = await work.take(archive, null)
  for (const graph of graphsAmong(found.all)) await work.takeFeatures(archive, found, graph)
  const sha256 = await file.sha256(() => Promise.resolve(throwIfCancelled(job.signal)))
  writeIndex(file, archive.container, sha256, found, folder)
  return found.all
}

/** What is written to the scratch folder, and how much of it. */
class Extraction {
  readonly #file: StoredFile
  readonly #wanted: Wanted
  readonly #job: JobContext
  #written = 0

  constructor(file: StoredFile, wanted: Wanted, job: JobContext) {
    this.#file = file
    this.#wanted = wanted
    this.#job = job
    mkdirSync(wanted.scratch, { recursive: true })
  }

  close(): void {
    rmSync(this.#wanted.scratch, { recursive: true, force: true })
  }

  /** @param place a name for what is within */
  async ofStream(bytes: Bytes, place: string, container: string): Promise<Contained> {
    const path = join(this.#wanted.scratch, place === '' ? 'graph' : place)
    await writeBytes(bytes, path, this.#look)
    const { member } = this.#wanted
    return this.#contained({ path, name: this.#file.name }, { container, member, beside: [] })
  }

  async ofArchive(archive: Archive): Promise<Contained> {
    // A directory tells beforehand which members are needed.
    const names = new Members(this.#file.name, this.#wanted.member)
    const needed = archive.members === null ? null : names.chosen(archive.members)
    const found = await this.take(archive, needed)
    const { graph, beside, within } = needed ?? found.chosen()
    const features = within === undefined ? [] : await this.takeFeatures(archive, found, graph)
    const unpackedOf = (member: Member): Unpacked => ({
      path: join(this.#wanted.scratch, found.placeOf(member)!),
      name: `${this.#file.name}/${member.name}`,
    })
    const { container, sha256 } = archive
    const known = { container, sha256, member: within, beside: [...beside, ...features].map(unpackedOf) }
    return this.#contained(unpackedOf(graph), known)
  }

  /** Writes the members that are needed; null: those that may be. */
  async take(archive: Archive, needed: Chosen | null): Promise<Members> {
    const found = new Members(this.#file.name, this.#wanted.member)
    const isNeeded = (member: Member) => needed === null || [needed.graph, ...needed.beside].includes(member)
    await this.#pass(archive, (member) => (isNeeded(member) ? found.add(member) : null))
    return found
  }

  /** Writes, in another pass, what vertices and edges of a graph have: few archives hold it, and large ones are read without. */
  async takeFeatures(archive: Archive, found: Members, graph: Member): Promise<readonly Member[]> {
    const features = featuresBeside(graph, archive.members ?? found.all)
    const left = new Map(features.map((member) => [member.name, member]))
    if (left.size > 0)
      await this.#pass(archive, ({ name }) => {
        const member = left.get(name)
        left.delete(name)
        return member === undefined ? null : found.keep(member)
      })
    return features
  }

  /** @param placeOf where in the scratch folder a member goes; null: nowhere */
  async #pass(archive: Archive, placeOf: (member: Member) => string | null): Promise<void> {
    for await (const file of archive.files()) {
      const place = placeOf(file)
      if (place === null) continue
      const path = join(this.#wanted.scratch, place)
      mkdirSync(dirname(path), { recursive: true })
      await writeBytes(file.chunks(), path, this.#look)
    }
  }

  /** What is compressed within is unpacked, too. */
  async #contained(
    { path, name }: Unpacked,
    known: Pick<Contained, 'container' | 'sha256' | 'member' | 'beside'>,
  ): Promise<Contained> {
    const close = (): void => this.close()
    const inner = StoredFile.open(path, name)
    const layers = await layersOf(inner).finally(() => inner.close())
    if (layers.isTar)
      throw inputFailure(name, 'there is an archive within the archive', 'Unpack it, and import what is in it.')
    if (layers.names.every((each) => each === 'gzip')) return { path, name, ...known, close }
    const scratch = join(this.#wanted.scratch, 'within')
    const within = await openContainer(path, { scratch, member: known.member }, this.#job)
    return within === null
      ? { path, name, ...known, close }
      : { ...known, ...within, name, container: `${known.container}, ${within.container}`, beside: known.beside, close }
  }

  /** Looks at the room on the disk now and then. @throws Failure (storage) */
  readonly #look = (bytes: number): void => {
    const before = Math.floor(this.#written / LOOK_BYTES)
    this.#written += bytes
    if (Math.floor(this.#written / LOOK_BYTES) === before) return
    const need = (size: string): string => `unpacking ${this.#file.name} needs ${size} more`
    requireSpace(this.#wanted.scratch, LOOK_BYTES, need, 'unpacked')
  }
}

/** The members that an import reads. */
interface Chosen {
  readonly graph: Member
  readonly beside: readonly Member[]
  /** The number of a graph within the file. */
  readonly within?: string | undefined
}

/** Those that went by, and where on the scratch disk they are. */
class Members {
  readonly #archive: string
  readonly #wanted: string | undefined
  readonly all: Member[] = []
  readonly #places = new Map<Member, string>()

  constructor(archive: string, wanted: string | undefined) {
    this.#archive = archive
    this.#wanted = wanted
  }

  /** @returns a name for the scratch file of what may be the graph, or goes with it; else null */
  add(member: Member): string | null {
    this.all.push(member)
    const wanted = this.#wanted
    const isNamed = wanted !== undefined && memberNamed([member], wanted) !== null
    const isOpen = wanted === undefined || isGraphNumber(wanted)
    return isNamed || (isOpen && mayBeGraph(member)) || mayBeBeside(member) ? this.keep(member) : null
  }

  /** @returns a name for its scratch file */
  keep(member: Member): string {
    // The end of a name tells the format; a name of its own keeps two of one name apart.
    const place = join(String(this.#places.size), basename(member.name.replaceAll('\\', '/')))
    this.#places.set(member, place)
    return place
  }

  placeOf(member: Member): string | undefined {
    return this.#places.get(member)
  }

  /** @throws Failure (input) where there is none, or a person has to choose */
  chosen(all: readonly Member[] = this.all): Chosen {
    const wanted = this.#wanted
    if (wanted !== undefined) {
      const found = memberNamed(all, wanted)
      if (found !== null) return { graph: found.member, beside: besideGraph(found.member, all), within: found.within }
      const what = `the archive has no file "${excerpt(wanted)}", or several: ${listed(all)}`
      throw inputFailure(this.#archive, what, '', [CHOOSE_MEMBER])
    }
    const graphs = graphsAmong(all)
    if (graphs.length === 1) return { graph: graphs[0]!, beside: besideGraph(graphs[0]!, all) }
    const what =
      graphs.length === 0
        ? `no file of the archive looks like a graph: ${all.length === 0 ? 'it is empty' : listed(all)}`
        : `${graphs.length} files of the archive may be the graph: ${listed(graphs)}`
    throw inputFailure(this.#archive, what, '', [CHOOSE_MEMBER])
  }
}

const MOST_LISTED = 20

function listed(members: readonly Member[]): string {
  const names = members.slice(0, MOST_LISTED).map(({ name }) => name)
  return `${names.join(', ')}${members.length > MOST_LISTED ? ', ...' : ''}`
}

const CHOOSE_MEMBER = { action: 'choose', option: 'member' } as const

/** A path beside another one that nothing has. */
export const scratchName = (folder: string): string =>
  `${folder}.partial-${process.pid}-${randomBytes(4).toString('hex')}`
