/** What the members of an archive are, by their names: graphs, what goes with one, and all else. */
import { basename } from 'node:path'
import { wholeFormats } from '../formats/registry.ts'
import type { Member } from './tar.ts'

/** Ends of names that are no graphs, in archives of the collections. */
const otherEnds =
  /\.(?:md|html?|pdf|docx?|tex|bib|png|jpe?g|gif|svg|css|js|py|r|m|c|cc|cpp|h|sh|bat|exe|sum|sums|md5|sha\d*|sig|asc|license|properties|(?:graph|node|edge|link)_(?:idx|labels?|attrs?|attributes))$/i
const otherNames = /^(?:readme|licen[cs]e|copying|notice|authors|citation|changes|changelog|makefile|index|meta)\b/i
/** KONECT: what vertices and relations are called and have; the graph is out.NAME. */
const companions = /^(?:ent|rel|meta|README)\./
/** OGB: numbers, features and labels, whose splits and mappings are in folders of their own; the graph is edge.csv. */
const otherOfOgb = /^(?:num-(?:node|edge)-list|(?:node|edge|graph)[-_](?:feat|label|year|species))\.csv(?:\.gz)?$/
const graphOfOgb = /^edge\.csv(?:\.gz)?$/
const countOfOgb = /^num-node-list\.csv(?:\.gz)?$/
const edgesOfOgb = /^num-edge-list\.csv(?:\.gz)?$/
/** OGB: a line for each vertex, or each edge, of all graphs. */
const featureOfOgb = /^(node|edge)[-_](\w+)\.csv(?:\.gz)?$/
/** A table with a row for each vertex. */
const vertexTable = /(?:^|[._-])(?:nodes?|vertex|vertices|nodelist)\.(?:csv|tsv|parquet|arrow)(?:\.gz)?$/i
/** SuiteSparse: where vertices are, and what they are called. */
const ofSuiteSparse = /_(?:coord\.mtx|nodename\.txt)$/

/** KONECT: ent.NAME.ENTITY.COLUMN has a line for each vertex of a kind. */
const ofKonect = /^ent\.(.+)\.([^.]+)\.([^.]+)$/

const lastOf = (name: string): string => basename(name.replaceAll('\\', '/'))
const stemOf = (name: string): string =>
  lastOf(name)
    .replace(/\.(?:gz|bz2|xz|zst)$/i, '')
    .replace(/\.[^.]*$/, '')

const isOfSystem = ({ name }: Member): boolean => name.split('/').includes('__MACOSX') || /^[._]/.test(lastOf(name))

/** Whether a member may be a graph, by its name. */
export const mayBeGraph = (member: Member): boolean =>
  member.bytes > 0 &&
  !isOfSystem(member) &&
  ![otherNames, otherEnds, companions, otherOfOgb].some((other) => other.test(lastOf(member.name)))

/** Whether a member may tell more of the vertices of a graph. */
export const mayBeBeside = (member: Member): boolean =>
  member.bytes > 0 &&
  !isOfSystem(member) &&
  [vertexTable, ofSuiteSparse, ofKonect, countOfOgb, edgesOfOgb].some((known) => known.test(lastOf(member.name)))

export const isVertexTable = ({ name }: Pick<Member, 'name'>): boolean => vertexTable.test(lastOf(name))

/** Whether a file of OGB says how many vertices there are, a line for each graph. */
export const isCount = ({ name }: Pick<Member, 'name'>): boolean => countOfOgb.test(lastOf(name))

/** Whether a file of OGB says how many edges each graph has. */
export const isEdgeCount = ({ name }: Pick<Member, 'name'>): boolean => edgesOfOgb.test(lastOf(name))

/** The columns that a file of OGB has for vertices or edges; null for other files. */
export function featureOf({ name }: Pick<Member, 'name'>) {
  const [, of, called] = featureOfOgb.exec(lastOf(name)) ?? []
  return called === undefined ? null : { of: of as 'node' | 'edge', called }
}

/** What a file of entities of KONECT tells of which vertices; null for other files. */
export function entityOf({ name }: Pick<Member, 'name'>) {
  const [, graph, kind, column] = ofKonect.exec(lastOf(name)) ?? []
  return column === undefined ? null : { graph, kind, column }
}

/** Whether `other` goes with `graph`: NAME_b.mtx and NAME_coord.mtx beside NAME.mtx. */
const goesWith = (graph: Member, other: Member): boolean => stemOf(other.name).startsWith(`${stemOf(graph.name)}_`)

/** Those among which a person has to choose; one where the names decide. */
export function graphsAmong(members: readonly Member[]): readonly Member[] {
  const candidates = members.filter(mayBeGraph)
  const konect = candidates.filter(({ name }) => lastOf(name).startsWith('out.'))
  if (konect.length === 1) return konect
  const ogb = members.some(isCount) ? candidates.filter(({ name }) => graphOfOgb.test(lastOf(name))) : []
  if (ogb.length === 1) return ogb
  const graphs = candidates.filter((one) => !candidates.some((other) => other !== one && goesWith(other, one)))
  const edges = graphs.filter((one) => !isVertexTable(one))
  return edges.length > 0 ? edges : graphs
}

/** What tells more of the vertices of a graph: what SuiteSparse, KONECT and OGB have beside it, or the only table of vertices. */
export function besideGraph(graph: Member, members: readonly Member[]): readonly Member[] {
  const others = members.filter((one) => one !== graph && mayBeBeside(one))
  const own = others.filter(
    ({ name }) => ofSuiteSparse.test(name) && name.startsWith(graph.name.replace(/\.mtx$/, '_')),
  )
  if (own.length > 0) return own
  const entities = others.filter((one) => `out.${entityOf(one)?.graph}` === lastOf(graph.name))
  if (entities.length > 0) return entities
  if (graphOfOgb.test(lastOf(graph.name))) return others.filter((one) => isCount(one) || isEdgeCount(one))
  const tables = others.filter(isVertexTable)
  return tables.length === 1 && graphsAmong(members).length === 1 ? tables : []
}

/** What vertices and edges of a graph of OGB have; read where the archive holds many graphs. */
export function featuresBeside(graph: Member, members: readonly Member[]): readonly Member[] {
  const folderOf = ({ name }: Member): string => name.slice(0, -lastOf(name).length)
  if (!graphOfOgb.test(lastOf(graph.name)) || !members.some(isCount)) return []
  return members
    .filter((one) => one.bytes > 0 && featureOf(one) !== null && folderOf(one) === folderOf(graph))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Whether a member may hold several graphs, each by its number. */
export const mayHoldSeveral = ({ name }: Pick<Member, 'name'>): boolean =>
  graphOfOgb.test(lastOf(name)) ||
  wholeFormats.some(
    ({ graphs, promisedBy }) =>
      graphs !== undefined && promisedBy?.ends?.some((end) => name.toLowerCase().includes(end)) === true,
  )

/** A member, and the number of one of its graphs. */
interface Named {
  readonly member: Member
  readonly within?: string | undefined
}

/** Whether a name is that of a graph within the only file of an archive. */
export const isGraphNumber = (wanted: string | undefined): boolean => wanted !== undefined && /^\d+$/.test(wanted)

/** The member of this whole name or last part of one, or of what stands before `#N`, or the only one for `N`; null where none or several have it. */
export function memberNamed(members: readonly Member[], wanted: string): Named | null {
  const fit = members.filter(({ name }) => name === wanted)
  const ends = fit.length > 0 ? fit : members.filter(({ name }) => lastOf(name) === wanted)
  if (ends.length === 1) return { member: ends[0]! }
  const graphs = isGraphNumber(wanted) && ends.length === 0 ? graphsAmong(members) : []
  if (graphs.length === 1 && mayHoldSeveral(graphs[0]!)) return { member: graphs[0]!, within: wanted }
  const [, file, within] = /^(.+)#(\d+)$/.exec(wanted) ?? []
  const numbered = ends.length > 0 || file === undefined ? null : memberNamed(members, file)
  return numbered === null || numbered.within !== undefined ? null : { ...numbered, within }
}
