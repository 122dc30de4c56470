/**
 * The graphs of a file: the members of an archive that may be one, and within a file of several graphs each by its number. Names of datasets
 * are proposed with them, no two alike. An archive is read through once, and a member that may hold several graphs once more.
 */

import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Failure, inputFailure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { ContentsArgs, FileContents } from '../../contract/jobs.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { knownFile, openKnown } from '../reading/known-file.ts'
import { type Archive, asDamage, containerOf } from './archive.ts'
import { graphsAmong, isCount, mayHoldSeveral } from './choose-member.ts'
import { graphsOfOgb } from './ogb-graphs.ts'
import { openContainer, scratchName, unpackForSeveral } from './open-container.ts'
import type { Member } from './tar.ts'

/** Graphs that become datasets in one go. */
const MOST_GRAPHS = 1000

type Graph = FileContents['graphs'][number]

const withoutEnd = (name: string): string => {
  const base = basename(name.replaceAll('\\', '/')).replace(/\.(?:gz|bz2|xz|zst)$/i, '')
  return base.replace(/^out\.(?=.)/, '').replace(/(?<=.)\.[^.]*$/, '')
}

/** What OGB calls its graphs, which are all edge.csv: NAME/raw/edge.csv. */
const folderOf = (member: string, source: string): string =>
  member
    .split('/')
    .slice(0, -1)
    .findLast((folder) => folder !== 'raw') ?? withoutEnd(source)

/** @throws Failure (input) for a damaged archive, or more graphs than become datasets in one go; (cancelled) */
export async function listGraphs({ source, unpack }: ContentsArgs, job: JobContext): Promise<FileContents> {
  const scratch = scratchName(join(tmpdir(), 'anticlique-contents'))
  const counted = (member?: string): Promise<number> => countGraphs(source, { member, scratch, unpacked: unpack }, job)
  try {
    const archive = await membersOf(source, unpack, job)
    if (archive === null) {
      const { bytes, count } = { bytes: bytesOf(source), count: await counted() }
      const only: Graph = { member: null, name: withoutEnd(source), bytes }
      return { container: null, graphs: few(source, count === 1 ? [only] : numbered(only, count)) }
    }
    const graphs: Graph[] = []
    const areOfOgb = archive.members.some(isCount)
    for (const { name: member, bytes } of graphsAmong(archive.members)) {
      const one: Graph = { member, name: areOfOgb ? folderOf(member, source) : withoutEnd(member), bytes }
      const count = mayHoldSeveral({ name: member }) ? await counted(member) : 1
      graphs.push(...(count === 1 ? [one] : numbered(one, count)))
    }
    return { container: archive.container, graphs: apart(few(source, graphs)) }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function bytesOf(source: string): number {
  const file = StoredFile.open(source)
  file.close()
  return file.bytes
}

const numbered = ({ member, name, bytes }: Graph, count: number): Graph[] =>
  Array.from({ length: Math.min(count, MOST_GRAPHS + 1) }, (_, i) => ({
    member: member === null ? String(i + 1) : `${member}#${i + 1}`,
    name: `${name}-${i + 1}`,
    bytes,
  }))

function few(source: string, graphs: readonly Graph[]): readonly Graph[] {
  if (graphs.length <= MOST_GRAPHS) return graphs
  const what = `there are more than ${MOST_GRAPHS} graphs in this file, and so many become datasets in one go`
  throw inputFailure(source, what, 'Name one by its number, such as 1.', [{ action: 'choose', option: 'member' }])
}

/** Gives members of one name that of their folder, too. */
function apart(graphs: readonly Graph[]): Graph[] {
  const names = graphs.map(({ name }) => name)
  return graphs.map((graph) => {
    const isAlone = names.indexOf(graph.name) === names.lastIndexOf(graph.name)
    const folders = graph.member?.split(/[/\\]/).slice(0, -1) ?? []
    return isAlone ? graph : { ...graph, name: [...folders, graph.name].join('-') }
  })
}

/** @returns null for a file that is no archive */
async function membersOf(source: string, unpack: string | undefined, job: JobContext) {
  const file = StoredFile.open(source)
  try {
    const found = await containerOf(file, job)
    if (found?.kind !== 'archive') return null
    try {
      return { container: found.container, members: found.members ?? (await passing(file, found, unpack, job)) }
    } catch (error) {
      throw asDamage(file, error)
    } finally {
      found.close()
    }
  } finally {
    file.close()
  }
}

async function passing(file: StoredFile, archive: Archive, unpack: string | undefined, job: JobContext) {
  if (unpack !== undefined) return unpackForSeveral(file, archive, unpack, job)
  const members: Member[] = []
  for await (const member of archive.files()) members.push(member)
  return members
}

async function countGraphs(
  source: string,
  wanted: Parameters<typeof openContainer>[1],
  job: JobContext,
): Promise<number> {
  const contained = await openContainer(source, wanted, job)
  try {
    const counted = contained && (await graphsOfOgb(contained, job))
    if (counted !== null) return Math.max(1, counted)
    const known = await unlessRefused(knownFile({ source: contained?.path ?? source }))
    if (known?.whole?.graphs === undefined) return 1
    const opened = await openKnown(known, { folder: `${wanted.scratch}-file` }, job)
    try {
      const graphs = await unlessRefused(Promise.resolve(opened?.format.graphs?.(opened.file)))
      return Math.max(1, graphs ?? 1)
    } finally {
      opened?.close()
    }
  } finally {
    contained?.close()
  }
}

/** null for what an import refuses, which tells why. */
async function unlessRefused<T>(promise: Promise<T>): Promise<T | null> {
  return promise.catch((error: unknown) => {
    if (error instanceof Failure) return null
    throw error
  })
}
