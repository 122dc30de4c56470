/**
 * Rows of a result for the window's table: members, pairs or values, those that another result has or lacks, those of a condition, sorted by id,
 * degree, value or attribute. Ids of the rows are found and sorted once and kept for half a minute, as scrolling asks for part after part;
 * attributes are read by batch. Memory is a word a row. opened-dataset.ts reads.
 */

import { usageFailure } from '../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import { placeOf } from '../base/ranges.ts'
import type { AttributeValue, DescribedVertex, ResultRows, ResultRowsArgs } from '../contract/jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { AttributeTable, EDGE_TABLE, VERTEX_TABLE } from '../graph/attribute-table.ts'
import { degreeRuns } from '../graph/degrees.ts'
import { NO_MATE } from '../graph/matching.ts'
import { degreeColumn, unknownAttribute, type VertexColumn, verticesWhere } from '../graph/vertex-lists.ts'
import { algorithmEntry } from '../contract/catalogue.ts'
import { EdgeWeigher, weighedLists } from '../graph/scan-lists.ts'
import type { AdjacencyReader } from './adjacency-reader.ts'
import { radixOrder } from '../graph/radix-order.ts'
import type { PartnerLists } from '../graph/pair-list.ts'
import { sizesOf } from '../graph/result-file.ts'
import type { Labels } from '../graph/labels.ts'
import { type Decided, decidedIn, valuesOf, attributesOf, OpenedDataset } from './opened-dataset.ts'

const MOST_FOUND = 1000
/** The next part may be asked for. */
const KEPT_MS = 30_000
/** The most texts kept of an attribute that is sorted by. */
const MOST_TEXTS = 1 << 21
/** The most ids that are texts of which numbers within count as numbers; more are in the order of their characters. */
const MOST_NATURAL = 1 << 20

interface Kept {
  readonly key: string
  readonly decided: Decided
  /** Both ends of the pairs by their number, where rows are pairs and not vertices. */
  readonly pairs: Uint32Array | null
  /** Whether a row has this vertex, which may be either end of a pair. */
  readonly isShown: (v: number) => boolean
  readonly ids: Uint32Array
}

/** Scrolling asks for many parts of it. */
let kept: Kept | undefined
let forgetting: NodeJS.Timeout | undefined

/** All of the vertices. */
const ALL: Decided = { mates: null, values: null, pairs: null, isIn: () => true }

/** @throws Failure (input) when the dataset or the result is damaged, or a condition cannot be read; (cancelled) */
export async function resultRows(args: ResultRowsArgs, job: JobContext): Promise<ResultRows> {
  const dataset = new OpenedDataset(args, job)
  try {
    const attributes = dataset.closing(await AttributeTable.open(args.folder, VERTEX_TABLE))
    const isMatching = args.result?.kind === 'matching' || args.result?.kind === 'b-matching'
    const ofEdges = dataset.closing(isMatching ? await AttributeTable.open(args.folder, EDGE_TABLE) : null)
    const { decided, pairs, isShown, ids } = await tableOf(args, dataset, { attributes, ofEdges }, job)
    const found = args.text === '' ? null : dataset.find(args.text, MOST_FOUND)
    const rowsOfFound = (vertices: readonly number[]): Uint32Array => {
      if (pairs === null) return Uint32Array.from(new Set(vertices.filter(isShown).map((v) => rowOf(v, decided))))
      const ends = new Set(vertices)
      return ids.filter((row) => ends.has(pairs[2 * row]!) || ends.has(pairs[2 * row + 1]!))
    }
    const table = found === null ? ids : rowsOfFound(found)
    const shown = table.subarray(args.offset, args.offset + args.limit)
    return {
      total: table.length,
      // Those that are not shown count: behind them may be some that are.
      truncated: found !== null && found.length >= MOST_FOUND,
      columns: attributes?.columns ?? [],
      edgeColumns: ofEdges?.columns ?? [],
      rows: rowsOf(shown, { decided, pairs }, args, dataset, { attributes, ofEdges }),
    }
  } finally {
    dataset.close()
  }
}

interface Tables {
  readonly attributes: AttributeTable | null
  readonly ofEdges: AttributeTable | null
}

function rowsOf(
  shown: Uint32Array,
  { decided: { mates, values }, pairs }: Pick<Kept, 'decided' | 'pairs'>,
  args: ResultRowsArgs,
  { adjacency, labels, describe: plain }: OpenedDataset,
  { attributes, ofEdges }: Tables,
): ResultRows['rows'] {
  const vertexOf = (row: number): number => pairs?.[2 * row] ?? row
  const mateOf = (row: number): number => pairs?.[2 * row + 1] ?? mates?.[row] ?? NO_MATE
  const mentioned = Array.from(shown, (row) => [vertexOf(row), mateOf(row)]).flat()
  const known = attributesOf(
    attributes,
    mentioned.filter((v) => v !== NO_MATE),
  )
  const describe = (id: number): DescribedVertex => ({ ...plain(id), attributes: known(id) })
  const describeMate = (row: number): ResultRows['rows'][number]['mate'] => {
    const [v, mate] = [vertexOf(row), mateOf(row)]
    if (mate === NO_MATE) return null
    const edge = ofEdges?.rowOfEdge(v, mate) ?? -1
    const ofEdge = edge < 0 ? (ofEdges?.columns ?? []).map(() => null) : ofEdges!.row(edge)
    return { ...describe(mate), weight: weightOf(v, mate, args, adjacency), ofEdge }
  }
  const words = valuesOf(args.result, (v) => labels.of(v))
  return Array.from(shown, (row) => ({
    ...describe(vertexOf(row)),
    mate: describeMate(row),
    value: values === null ? null : words(values[vertexOf(row)]!),
  }))
}

/** The vertex that names a row: the smaller end of a pair. */
function rowOf(v: number, { mates }: Decided): number {
  return mates === null ? v : Math.min(v, mates[v]!)
}

/** Columns of the table that are no attributes, as conditions call them: all that the window shows of a row. @param lists of a table of pairs of a b-matching */
function shownColumns(
  args: ResultRowsArgs,
  decided: Decided,
  lists: PartnerLists | null,
  { graph, names, labels, adjacency }: OpenedDataset,
  { attributes, ofEdges }: Tables,
  job: JobContext,
) {
  const { result, order } = args
  const { mates, values, pairs } = decided
  const words = valuesOf(result, (v) => labels.of(v))
  const value: VertexColumn = { kind: 'any', of: (v) => (decided.isIn(v) ? words(values![v]!) : null) }
  const label = result === undefined ? undefined : algorithmEntry(result.algorithm)?.values?.label.toLowerCase()
  /** How many vertices have the value of a vertex. */
  let sizes: Uint32Array | undefined
  const sizeOf = (v: number): number => (sizes ??= sizesOf(values!))[values![v]!]!
  const size: VertexColumn = { kind: 'number', of: (v) => (decided.isIn(v) ? sizeOf(v) : null) }
  const mateOf = (row: number): number => lists?.partners[row] ?? mates?.[row] ?? NO_MATE
  const ofMate = (of: (mate: number) => AttributeValue) => (_: number, row: number) =>
    mateOf(row) === NO_MATE ? null : of(mateOf(row))
  /** Weights of pairs, by their rows; the whole graph is read for them. */
  let weights: Float64Array | undefined
  const weightAt = (row: number): number =>
    (weights ??= weightsOfPairs(graph, lists ?? { starts: null, partners: mates! }, order!, job))[row]!
  const weight: VertexColumn['of'] = (v, row) => ofMate(() => weightAt(row))(v, row)
  const partners = (v: number): number => (lists === null ? 0 : lists.starts[v + 1]! - lists.starts[v]!)
  return {
    degree: degreeColumn(graph),
    ...(names === null ? {} : { name: { kind: 'text', of: names.inOrder() } as const }),
    ...(values === null ? {} : { value, ...(label === undefined ? {} : { [label]: value, [`${label} size`]: size }) }),
    ...(pairs === null ? {} : { partners: { kind: 'number', of: partners } as const }),
    ...(mates === null && pairs === null
      ? {}
      : {
          mate: { kind: 'any', of: ofMate((mate) => labels.of(mate)) } as const,
          ...(names === null ? {} : { 'mate name': { kind: 'text', of: ofMate((mate) => names.of(mate)) } as const }),
          'its degree': { kind: 'number', of: ofMate((mate) => adjacency.degree(mate)) } as const,
          ...(order === undefined ? {} : { weight: { kind: 'number', of: weight } as const }),
          ...columnsOfPairs('mate', attributes, (_, row) => (mateOf(row) === NO_MATE ? -1 : mateOf(row))),
          ...columnsOfPairs('edge', ofEdges, (v, row) =>
            mateOf(row) === NO_MATE ? -1 : ofEdges!.rowOfEdge(v, mateOf(row)),
          ),
        }),
  }
}

/** Attributes of mates or of edges, called as headings call them: "mate: population". A column is read once, whole. @param at the row of the table; negative: none */
function columnsOfPairs(
  of: 'mate' | 'edge',
  table: AttributeTable | null,
  at: (v: number, row: number) => number,
): Record<string, VertexColumn> {
  const columns = (table?.columns ?? []).map(({ name, kind }, i) => {
    let values: AttributeValue[] | undefined
    const valueAt = (place: number): AttributeValue =>
      (values ??= Array.from(table!.tuples([i]), ([value = null]) => value))[place] ?? null
    return [`${of}: ${name}`, { kind, of: (v: number, row: number) => valueAt(at(v, row)) }] as const
  })
  return Object.fromEntries(columns)
}

/** The weight of the pair of each row that has a mate. @param starts where the rows of vertices begin, whose mates ascend; null: each has one */
function weightsOfPairs(
  graph: GaloisGr,
  { starts, partners }: { readonly starts: Uint32Array | null; readonly partners: Uint32Array },
  order: NonNullable<ResultRowsArgs['order']>,
  job: JobContext,
): Float64Array {
  const ofPairs = new Float64Array(partners.length)
  for (const { v, neighbours, weights } of weighedLists(graph, { ...order, threshold: undefined }, 'weigh', job)) {
    const end = starts?.[v + 1] ?? v + 1
    for (let row = starts?.[v] ?? v; row < end; row++) {
      const weight = weights[placeOf(neighbours, 0, neighbours.length, partners[row]!)] ?? 0
      ofPairs[row] = order.weights === 'random3' ? Math.round(weight) / 1000 : weight
    }
  }
  return ofPairs
}

async function tableOf(args: ResultRowsArgs, dataset: OpenedDataset, tables: Tables, job: JobContext): Promise<Kept> {
  const { attributes } = tables
  const { graph, labels, vertices } = dataset
  clearTimeout(forgetting)
  forgetting = setTimeout(() => (kept = undefined), KEPT_MS).unref()
  const { folder, checksum, result, against, show, where, sort, attribute, down } = args
  const key = JSON.stringify([folder, checksum, result, against, show, where, sort, attribute, down])
  if (kept?.key === key) return kept
  kept = undefined
  const decided = result === undefined ? ALL : decidedIn(result, vertices)
  const isDecided = shownOf(args, decided, vertices)
  const pairs = show === 'out' ? null : (decided.pairs?.words ?? null)
  // A condition asks of a pair what it asks of a vertex and one of its partners, from either end.
  const lists = pairs === null || where === undefined ? null : decided.pairs!.partnerLists(vertices)
  const columns = shownColumns(args, decided, lists, dataset, tables, job)
  const place = { folder, vertices, labels, columns, starts: lists?.starts }
  const chosen = where === undefined ? null : await verticesWhere(place, where)
  const fits = (v: number): boolean => {
    const mate = decided.mates?.[v] ?? NO_MATE
    return chosen === null || chosen.has(v) || (mate !== NO_MATE && chosen.has(mate))
  }
  const isShown = (v: number): boolean => isDecided(v) && fits(v)
  if (pairs !== null) {
    const isWanted = pairsShown(args, vertices)
    const isChosen = (v: number, mate: number): boolean => {
      if (chosen === null || lists === null) return true
      return chosen.has(placeOf(lists.partners, lists.starts[v]!, lists.starts[v + 1]!, mate))
    }
    const all = Uint32Array.from({ length: pairs.length / 2 }, (_, row) => row)
    const rows = all.filter((row) => {
      const [u, v] = [pairs[2 * row]!, pairs[2 * row + 1]!]
      return isWanted(u, v) && (isChosen(u, v) || isChosen(v, u))
    })
    const firsts = rows.map((row) => pairs[2 * row]!)
    const order = sorted(firsts, decided, args, { graph, attributes, labels }, job)
    kept = { key, decided, pairs, isShown: isDecided, ids: order.map((place) => rows[place]!) }
    return kept
  }
  let count = 0
  const ids = new Uint32Array(vertices)
  for (let v = 0; v < vertices; v++) if (isShown(v) && !(v > (decided.mates?.[v] ?? NO_MATE))) ids[count++] = v
  const rows = ids.slice(0, count)
  const order = sorted(rows, decided, args, { graph, attributes, labels }, job)
  kept = { key, decided, pairs, isShown, ids: order.map((place) => rows[place]!) }
  return kept
}

/** Which pairs of a b-matching are shown beside those of another one. */
function pairsShown({ show, against }: ResultRowsArgs, vertices: number): (u: number, v: number) => boolean {
  if (against === undefined || show === 'in') return () => true
  const others = decidedIn(against, vertices).pairs!
  const { starts, partners } = others.partnerLists(vertices)
  return (u, v) => placeOf(partners, starts[u]!, starts[u + 1]!, v) >= 0 === (show === 'both')
}

function shownOf({ show, against }: ResultRowsArgs, decided: Decided, vertices: number): Kept['isShown'] {
  if (show === 'in') return decided.isIn
  if (show === 'out' || against === undefined) return (v) => !decided.isIn(v)
  const { isIn, mates, values } = decidedIn(against, vertices)
  const [own, other] = decided.mates === null ? [decided.values, values] : [decided.mates, mates]
  const isSame = own === null || other === null ? isIn : (v: number): boolean => isIn(v) && own[v] === other[v]
  return (v) => decided.isIn(v) && isSame(v) === (show === 'both')
}

/** The places of rows in their order. @param rows vertices, ascending; of pairs the smaller ends */
function sorted(
  rows: Uint32Array,
  { values }: Decided,
  { sort, attribute = '', down }: ResultRowsArgs,
  {
    graph,
    attributes,
    labels,
  }: Pick<OpenedDataset, 'graph' | 'labels'> & { readonly attributes: AttributeTable | null },
  job: JobContext,
): Uint32Array {
  if (sort === 'attribute') return byAttribute(rows, attributes, attribute, down)
  if (sort === 'degree') return byDegree(rows, graph, down, job)
  const places = Uint32Array.from(rows, (_, place) => place)
  if (sort === 'value' && values !== null) {
    const valueAt = (place: number): number => values[rows[place]!]!
    return places.sort((a, b) => (down ? valueAt(b) - valueAt(a) : valueAt(a) - valueAt(b)) || a - b)
  }
  if (labels.kind === 'text' && rows.length <= MOST_NATURAL) return byName(rows, labels, down)
  return down ? places.reverse() : places
}

/** n1, n2, n10. */
function byName(rows: Uint32Array, labels: Labels, down: boolean): Uint32Array {
  const keys = Array.from(rows, (v) => naturalKey(labels.of(v)))
  const order = Uint32Array.from(rows, (_, i) => i)
  const sign = down ? -1 : 1
  return order.sort((i, j) => (keys[i] === keys[j] ? i - j : keys[i]! < keys[j]! ? -sign : sign))
}

/** A text in whose order numbers within count as numbers: each has its length in front. */
const naturalKey = (text: string): string =>
  text.replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return number.length < 9 ? `${number.length}${number}` : `9${String(number.length).padStart(6, '0')}${number}`
  })

/** Stable. */
function byDegree(rows: Uint32Array, graph: GaloisGr, down: boolean, job: JobContext): Uint32Array {
  const degrees = new Uint32Array(rows.length)
  let row = 0
  for (const { first, degrees: run } of degreeRuns(graph)) {
    throwIfCancelled(job.signal)
    for (; row < rows.length && rows[row]! < first + run.length; row++) degrees[row] = run[rows[row]! - first]!
  }
  const most = degrees.reduce((a, b) => Math.max(a, b), 0)
  return radixOrder([down ? degrees.map((degree) => most - degree) : degrees])
}

/** Stable; rows without it are last. @throws Failure (usage) for more texts than are kept in memory; (input) for none of this name */
function byAttribute(rows: Uint32Array, table: AttributeTable | null, name: string, down: boolean): Uint32Array {
  const column = table?.column(name) ?? -1
  if (table === null || column < 0) throw unknownAttribute(name, table)
  if (table.columns[column]!.kind === 'text' && rows.length > MOST_TEXTS)
    throw usageFailure(
      undefined,
      `so many rows are not sorted by a text: ${rows.length}`,
      'Narrow them by a condition first.',
    )
  const values: AttributeValue[] = []
  let v = 0
  for (const [value = null] of table.tuples([column])) {
    if (values.length === rows.length) break
    // The smaller end of several pairs comes several times.
    const key = rows[values.length] === v && typeof value === 'string' ? naturalKey(value) : value
    while (rows[values.length] === v) values.push(key)
    v++
  }
  const order = Uint32Array.from(rows, (_, i) => i)
  const sign = down ? -1 : 1
  order.sort((i, j) => {
    const [a, b] = [values[i] ?? null, values[j] ?? null]
    if (a === b) return i - j
    if (a === null || b === null) return a === null ? 1 : -1
    return a < b ? -sign : sign
  })
  return order
}

/** null without weights. */
function weightOf(v: number, mate: number, { order }: ResultRowsArgs, adjacency: AdjacencyReader): number | null {
  if (order === undefined) return null
  const weigher = new EdgeWeigher({ ...order, threshold: undefined })
  if (weigher.areStored) {
    const [[, arc] = []] = adjacency.arcsTo(v, new Set([mate]))
    return arc === undefined ? null : adjacency.weight(arc)
  }
  const weights = new Float32Array(1)
  weigher.weigh(v, Uint32Array.of(mate), 1, weights)
  return order.weights === 'random3' ? Math.round(weights[0]!) / 1000 : weights[0]!
}
