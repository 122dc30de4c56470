import { basename } from 'node:path'
import type { Member } from './tar.ts'

/** Ends of names that are no graphs, in archives of the collections. */
const otherEnds =
  /\.(?:md|html?|pdf|docx?|tex|bib|png|jpe?g|gif|svg|css|js|py|r|m|c|cc|cpp|h|sh|bat|exe|sum|sums|md5|sha\d*|sig|asc|license|properties)$/i
const otherNames =
  /^(?:\.|_)|^(?:readme|licen[cs]e|copying|notice|authors|citation|changes|changelog|makefile|index|meta)\b/i
/** KONECT: a table of the vertices, of relations; the graph is out.NAME. */
const companions = /^(?:ent|rel|meta|README)\./

const lastOf = (name: string): string => basename(name.replaceAll('\\', '/'))
const stemOf = (name: string): string =>
  lastOf(name)
    .replace(/\.(?:gz|bz2|xz|zst)$/i, '')
    .replace(/\.[^.]*$/, '')

/** Whether a member may be a graph, by its name. */
export const mayBeGraph = ({ name, bytes }: Member): boolean =>
  bytes > 0 &&
  !name.split('/').includes('__MACOSX') &&
  !otherNames.test(lastOf(name)) &&
  !otherEnds.test(lastOf(name)) &&
  !companions.test(lastOf(name))

/** Whether `other` goes with `graph`: NAME_b.mtx and NAME_coord.mtx beside NAME.mtx. */
const goesWith = (graph: Member, other: Member): boolean => stemOf(other.name).startsWith(`${stemOf(graph.name)}_`)

/** Those among which a person has to choose; one where the names decide. */
export function graphsAmong(members: readonly Member[]): readonly Member[] {
  const candidates = members.filter(mayBeGraph)
  const konect = candidates.filter(({ name }) => lastOf(name).startsWith('out.'))
  if (konect.length === 1) return konect
  return candidates.filter((one) => !candidates.some((other) => other !== one && goesWith(other, one)))
}

/** The member of this whole name or last part of one; null where none or several have it. */
export function memberNamed(members: readonly Member[], wanted: string): Member | null {
  const fit = members.filter(({ name }) => name === wanted)
  const ends = fit.length > 0 ? fit : members.filter(({ name }) => lastOf(name) === wanted)
  return ends.length === 1 ? ends[0]! : null
}
