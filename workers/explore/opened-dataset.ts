/**
 * A dataset as the window looks at it: the graph with labels, names, places and attributes of vertices, and what a result says of them, all read
 * on demand with checksums compared. Labels are searched by bisection, names by a pass over their file, without accents and case. Files are
 * closed behind each question. result-rows.ts, neighbourhood.ts and overview.ts ask through it.
 */

import { type CheckedFile, openSideFile, type SmallReads } from '../base/checked-file.ts'
import { inputFailure } from '../base/failure.ts'
import type { JobContext } from '../base/job.ts'
import { lowerBound } from '../base/ranges.ts'
import { algorithmEntry } from '../contract/catalogue.ts'
import {
  type AttributeValue,
  type FoundVertex,
  type ResultPlace,
  type VertexSearch,
  type VertexSearchArgs,
} from '../contract/jobs.ts'
import { AttributeTable, VERTEX_TABLE } from '../graph/attribute-table.ts'
import { type GaloisGr, openGraph } from '../graph/galois-gr.ts'
import {
  denseLabels,
  integerLabels,
  type Labels,
  LABELS_HEADER_BYTES,
  openLabelFile,
  openNameFile,
  textAt,
  textsInOrder,
  textLabels,
} from '../graph/labels.ts'
import { Matching, NO_MATE, readMates } from '../graph/matching.ts'
import { type PairList, readPairList } from '../graph/pair-list.ts'
import { unknownAttribute } from '../graph/vertex-lists.ts'
import { NO_VALUE, RESULT_DAMAGE, otherResult, readValues, valueWords } from '../graph/result-file.ts'
import { VertexSet, readBits } from '../graph/vertex-set.ts'
import { AdjacencyReader } from './adjacency-reader.ts'

type Closed = { close(): void } | null

/** A graph, and how its vertices are called. */
export class OpenedDataset {
  readonly folder: string
  readonly graph: GaloisGr
  readonly vertices: number
  readonly adjacency: AdjacencyReader
  readonly labels: ReturnType<typeof openVertexLabels>
  readonly names: ReturnType<typeof openVertexNames>
  readonly #files: Closed[] = []

  /** @throws Failure (input) when it is damaged */
  constructor({ folder, checksum }: { readonly folder: string; readonly checksum: string }, job: JobContext) {
    this.folder = folder
    try {
      this.graph = this.closing(openGraph(folder, checksum, job))
      this.vertices = this.graph.vertices
      this.adjacency = new AdjacencyReader(this.graph)
      this.labels = this.closing(openVertexLabels(folder, this.vertices))
      this.names = this.closing(openVertexNames(folder, this.vertices))
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** What is to be closed with the dataset. */
  closing<T extends Closed>(file: T): T {
    this.#files.push(file)
    return file
  }

  /** Needed in every case. */
  close(): void {
    for (const file of this.#files) file?.close()
  }

  /** Says that so many vertices are called by their labels and names next. @throws Failure (input) when these are damaged */
  expectTexts(count: number): void {
    this.labels.expect(count)
    this.names?.expect(count)
  }

  /** What is shown of every vertex. */
  readonly describe = (id: number): FoundVertex => {
    const name = this.names?.of(id) ?? null
    return { id, label: this.labels.of(id), name, degree: this.adjacency.degree(id) }
  }

  /** The label itself first, then names, then longer labels; some twice. */
  find(text: string, most: number): number[] {
    const itself = this.labels.find(text)
    return [
      ...(itself < 0 ? [] : [itself]),
      ...(this.names?.beginningWith(text, most) ?? []),
      ...labelsBeginningWith(this.labels, this.vertices, text, most),
    ]
  }
}

/** Attributes in the order of the rows, so that each batch of the table is read once. @returns none for vertices that were not asked for */
export function attributesOf(
  table: AttributeTable | null,
  vertices: Iterable<number>,
): (v: number) => readonly AttributeValue[] {
  const known = new Map<number, readonly AttributeValue[]>()
  for (const v of table === null ? [] : [...vertices].sort((a, b) => a - b)) known.set(v, known.get(v) ?? table!.row(v))
  return (v) => known.get(v) ?? []
}

/** Places of columns in a table. @throws Failure (input) for a name that it has not */
export function columnsNamed(table: AttributeTable | null, names: readonly string[]): readonly number[] {
  return names.map((name) => {
    const column = table?.column(name) ?? -1
    if (column < 0) throw unknownAttribute(name, table)
    return column
  })
}

/** Vertices by labels and names. @throws Failure (input) */
export async function searchVertices(args: VertexSearchArgs, job: JobContext): Promise<VertexSearch> {
  const dataset = new OpenedDataset(args, job)
  try {
    const table = dataset.closing(await AttributeTable.open(args.folder, VERTEX_TABLE))
    const vertices = [...new Set(dataset.find(args.text, args.limit))].slice(0, args.limit)
    const attributes = attributesOf(table, vertices)
    const found = vertices.map((v) => ({ ...dataset.describe(v), attributes: attributes(v) }))
    return { columns: table?.columns ?? [], vertices: found }
  } finally {
    dataset.close()
  }
}

/** While a user types. */
const MAX_SEARCHED_BYTES = 64 << 20

/** Ascending, read one at a time. `expect`: so many are asked for next. @throws Failure (input) when the file is damaged */
function openVertexLabels(folder: string, vertices: number): Labels & { expect(count: number): void; close(): void } {
  const opened = openLabelFile(folder, vertices)
  if (opened === null) return { ...denseLabels(vertices, 0), expect: () => {}, close: () => {} }
  const { file, head } = opened
  let source: SmallReads = file
  const expect = (count: number): void => void (source = file.forReads(count))
  const close = (): void => file.close()
  switch (head.kind) {
    case 'dense':
      return { ...denseLabels(vertices, Number(head.base)), expect, close }
    case 'integer': {
      const value = (v: number): bigint => source.read(LABELS_HEADER_BYTES + 8 * v, 8).readBigUInt64LE()
      return { ...integerLabels(vertices, value), expect, close }
    }
    case 'text':
      return { ...textLabels(vertices, (v) => textAt(source, vertices, v)), expect, close }
  }
}

/** The shorter number first, texts in their order. */
function labelsBeginningWith(labels: Labels, vertices: number, text: string, most: number): number[] {
  const found: number[] = []
  const take = (first: number, fits: (v: number) => boolean): void => {
    for (let v = first; v < vertices && found.length < most && fits(v); v++) found.push(v)
  }
  if (text === '') take(0, () => true)
  else if (labels.kind === 'text') {
    const wanted = Buffer.from(text)
    const isBefore = (v: number): boolean => Buffer.compare(Buffer.from(labels.of(v)), wanted) < 0
    take(lowerBound(0, vertices, isBefore), (v) => labels.of(v).startsWith(text))
  } else if (/^(?:0|[1-9]\d{0,19})$/.test(text)) {
    // Labels have no leading zeros, and at most 20 digits.
    const value = (v: number): bigint => labels.number(v)!
    let low = BigInt(text)
    for (let high = low + 1n; high <= 10n ** 20n && found.length < most; low *= 10n, high *= 10n) {
      take(
        lowerBound(0, vertices, (v) => value(v) < low),
        (v) => value(v) < high,
      )
      if (low === 0n) break
    }
  }
  return found
}

/** See {@link openNameFile}; null for none. @throws Failure (input) when the file is damaged */
export function openVertexNames(folder: string, vertices: number) {
  const file = openNameFile(folder, vertices)
  if (file === null) return null
  let source: SmallReads = file
  return {
    of: (v: number): string | null => textAt(source, vertices, v).toString('utf8') || null,
    /** Tells how many are asked for next. */
    expect: (count: number): void => void (source = file.forReads(count)),
    /** Names of all vertices, one behind the other. */
    inOrder: (): ((v: number) => string | null) => {
      const textOf = textsInOrder(file, vertices)
      return (v) => textOf(v) || null
    },
    /** Whatever the case; whole names first, then by id. */
    beginningWith: (text: string, most: number): number[] =>
      text === '' || file.bytes > MAX_SEARCHED_BYTES ? [] : namesFrom(file, vertices, folded(text), most),
    close: () => file.close(),
  }
}

function namesFrom(file: CheckedFile, vertices: number, wanted: string, most: number): number[] {
  const whole: number[] = []
  const begun: number[] = []
  const texts = file.read(LABELS_HEADER_BYTES, file.bytes - LABELS_HEADER_BYTES)
  let start = 8 * vertices
  for (let v = 0; v < vertices && whole.length < most; v++) {
    const end = 8 * vertices + Number(texts.readBigUInt64LE(8 * v))
    const name = folded(texts.toString('utf8', start, end))
    start = end
    if (name === wanted) whole.push(v)
    else if (begun.length < most && name.startsWith(wanted)) begun.push(v)
  }
  return [...whole, ...begun].slice(0, most)
}

/** "Zürich" is found by "zurich" too. */
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

/** All of a result. */
export interface Decided {
  readonly mates: Uint32Array | null
  readonly values: Uint32Array | null
  /** Pairs of a b-matching, in which a vertex may be several times. */
  readonly pairs: PairList | null
  isIn(v: number): boolean
}

/** Pairs of a matching or b-matching, each once; none of other results. */
export function* pairsIn({ mates, pairs }: Pick<Decided, 'mates' | 'pairs'>): Generator<readonly [number, number]> {
  if (pairs !== null) yield* pairs.pairs()
  if (mates !== null) yield* new Matching(mates).pairs()
}

/** @throws Failure (input) when it is gone, damaged, or not the one that its record names */
export function decidedIn({ kind, file, hash }: ResultPlace, vertices: number): Decided {
  if (kind === 'matching') {
    const matching = readMates(file, vertices)
    const own = matching.summary().hash
    if (own !== hash || !matching.isMutual) throw otherResult(file, own, hash)
    const { mates } = matching
    return { mates, values: null, pairs: null, isIn: (v) => mates[v] !== NO_MATE }
  }
  if (kind === 'b-matching') {
    const pairs = readPairList(file, vertices, hash)
    const set = new VertexSet(vertices)
    for (const v of pairs.words) set.add(v)
    return { mates: null, values: null, pairs, isIn: (v) => set.has(v) }
  }
  if (kind === 'values') {
    const values = readValues(file, vertices, hash)
    return { mates: null, values, pairs: null, isIn: (v) => values[v] !== NO_VALUE }
  }
  const set = readBits(file, vertices)
  const own = set.summary().hash
  if (own !== hash) throw otherResult(file, own, hash)
  return { mates: null, values: null, pairs: null, isIn: (v) => set.has(v) }
}

/**
 * Of a result, read one vertex at a time: null where it has no such thing, or the vertex none. @returns null where no
 * run was named @throws Failure (input)
 */
export function openResultMarks(result: ResultPlace | undefined, vertices: number) {
  if (result === undefined) return null
  if (result.kind === 'b-matching') return marksOfPairs(result, vertices)
  const isMatching = result.kind === 'matching'
  const isSet = result.kind === 'independent-set'
  /** Else it throws. */
  const isRecorded = (): boolean => Boolean(decidedIn(result, vertices))
  const file = openSideFile(result.file, RESULT_DAMAGE, isRecorded)
  if (file === null) throw inputFailure(result.file, 'the result of this run is not there any more', 'Repeat the run.')
  if (file.bytes !== (isSet ? Math.ceil(vertices / 8) : 4 * vertices)) {
    file.close()
    throw file.damaged('it is of another graph')
  }
  const mateOf = (v: number): number | null => {
    const mate = isMatching ? file.word(4 * v) : NO_MATE
    return mate === NO_MATE ? null : mate
  }
  const bit = (v: number): boolean => ((file.read(v >>> 3, 1)[0]! >>> (v & 7)) & 1) === 1
  const valueOf = (v: number): number | null => {
    const value = isSet || isMatching ? NO_VALUE : file.word(4 * v)
    return value === NO_VALUE ? null : value
  }
  const isMember = (v: number): boolean | null => (isSet ? bit(v) : isMatching ? mateOf(v) !== null : null)
  const matesOf = (v: number): readonly number[] => [mateOf(v) ?? []].flat()
  return { isMember, matesOf, valueOf, close: () => file.close() }
}

/** The same of a b-matching, whose pairs are in memory. */
function marksOfPairs(result: ResultPlace, vertices: number) {
  const { starts, partners } = decidedIn(result, vertices).pairs!.partnerLists(vertices)
  const matesOf = (v: number): readonly number[] => [...partners.subarray(starts[v]!, starts[v + 1]!)]
  const isMember = (v: number): boolean | null => starts[v + 1]! > starts[v]!
  return { isMember, matesOf, valueOf: (): number | null => null, close: () => {} }
}

/** Words for the values of a result. */
export function valuesOf(result: ResultPlace | undefined, labelOf: (v: number) => string): (value: number) => string {
  const entry = result && algorithmEntry(result.algorithm)?.values
  return entry === undefined ? String : valueWords(entry, labelOf)
}
