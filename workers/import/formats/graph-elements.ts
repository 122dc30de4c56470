/**
 * Graphs whose formats have nodes and edges as elements with fields (GraphML, GEXF, GML, LEMON, node-link JSON): two passes, of which the first
 * finds out what ids and weights are, and the second makes entries and attributes. Fields and their length are bounded, so that a damaged file
 * cannot fill the memory. Parsers give elements one at a time: xml.ts, element-texts.ts.
 */

import { counted } from '../../base/counted.ts'
import { excerpt, type Failure, inputFailure } from '../../base/failure.ts'
import {
  READER_SHARE,
  type ReadOutcome,
  requireMemoryFor,
  rowsOutcome,
  type ReaderContext,
} from '../reader/graph-reader.ts'
import { WordList } from '../../base/words.ts'
import { VertexSet } from '../../graph/vertex-set.ts'
import type { LabelTable } from '../reader/input-ids.ts'
import { numberOf } from '../reader/numbers.ts'
import { BadRow } from '../reader/policies.ts'
import {
  type Elements,
  type ElementValue,
  END_NAMES,
  type FirstRows,
  type GraphElement,
  type WholeFormat,
} from './graph-format.ts'
import { IdSet } from './id-set.ts'
import { type StoredFile, textPieces } from './stored-file.ts'

const NO_VERTEX = -1
/** What edges call their weight, the likelier first: GML and D3 have "value". */
export const weightKeys = ['weight', 'value'] as const

/** What is known of a whole file before its first edge is taken. */
interface Survey {
  readonly nodes: number
  readonly weightKey: string | null
  /** Ids are whole numbers from 0, texts, or the places of the nodes. */
  readonly ids: 'integer' | 'text' | 'place'
  /** Edges name the places of nodes, counted from 0. */
  readonly byPlace: boolean
  /** Ids of nodes are numbers and texts. */
  readonly areMixed?: boolean
  /** The ids of the nodes where all are numbers; null where they are more than memory has room for. */
  readonly declared?: IdSet | null
}

const badId = (place: string, what: string, remedy = 'Mend it.'): BadRow => new BadRow('bad-id', place, what, remedy)
const missingId = (place: string, what: string, remedy: string): BadRow => new BadRow('missing-id', place, what, remedy)

const isIndex = (value: ElementValue): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/** Fields of a node or an edge, and characters in them: more are no graph that a person made. */
export const MOST_FIELDS = 10_000
export const MOST_FIELD_CHARS = 4 << 20
const ids = new Set<string>(['id', ...END_NAMES])

/** The fields of one node or edge, whose count and length are bounded, and whose texts are whole. */
export class ElementFields extends Map<string, ElementValue> {
  readonly #failure: (what: string, remedy: string) => Failure
  #chars = 0

  /** @param failure at the element */
  constructor(failure: (what: string, remedy: string) => Failure) {
    super()
    this.#failure = failure
  }

  /** @throws Failure (input); ids are looked at when they become vertices */
  override set(name: string, value: ElementValue): this {
    super.set(name, value)
    this.#chars += name.length + (typeof value === 'string' ? value.length : 8)
    if (this.size > MOST_FIELDS) throw this.#tooLarge(`more than ${MOST_FIELDS} attributes`)
    if (this.#chars > MOST_FIELD_CHARS) throw this.#tooLarge(`attributes of more than ${MOST_FIELD_CHARS >> 20} MiB`)
    const isWhole = name.isWellFormed() && (typeof value !== 'string' || ids.has(name) || value.isWellFormed())
    if (!isWhole) throw this.#failure(`its attribute "${excerpt(name)}" ${NOT_TEXT}`, NOT_TEXT_REMEDY)
    return this
  }

  #tooLarge(what: string): Failure {
    return this.#failure(`a node or an edge has ${what}`, 'Is the file damaged? Else leave them out of the file.')
  }
}

/** Python writes a byte that is not UTF-8 as half of a pair. */
const NOT_TEXT = 'holds half of a surrogate pair, which is no letter'
const NOT_TEXT_REMEDY = 'Was a text of another encoding written as JSON? Read it with its encoding, and write it again.'

/** Finds nodes and edges in text. */
export abstract class ElementParser {
  /** Those that ended, until they are taken. */
  readonly found: GraphElement[] = []
  /** The one that was come to, from 1; 0 before the first. */
  protected abstract readonly line: number
  readonly #file: StoredFile

  constructor(file: StoredFile) {
    this.#file = file
  }

  abstract write(text: string): void
  /** @throws Failure (input) where something is open */
  abstract finish(): void

  /** The failure names the line that was come to. */
  failure(what: string, remedy: string): Failure {
    return inputFailure(`${this.#file.name}:${Math.max(1, this.line)}`, what, remedy)
  }

  /** Fields of the element that begins. */
  protected fields(): ElementFields {
    return new ElementFields((what, remedy) => this.failure(what, remedy))
  }

  protected ended(kind: GraphElement['kind'], values: GraphElement['values'], line = this.line): void {
    this.found.push({ kind, values, place: `${this.#file.name}:${line}` })
  }
}

/** Finds them in one line after another. */
export abstract class LinesParser extends ElementParser {
  protected line = 0
  readonly #mostChars: number
  #rest = ''

  /** @param mostMib of a line */
  constructor(file: StoredFile, mostMib: number) {
    super(file)
    this.#mostChars = mostMib << 20
  }

  protected abstract add(line: string): void

  write(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n')
    this.#rest = lines.pop()!
    if (this.#rest.length > this.#mostChars)
      throw this.failure(`a line does not end within ${this.#mostChars >> 20} MiB`, 'Is it the right file?')
    for (const line of lines) this.#next(line)
  }

  finish(): void {
    if (this.#rest !== '') this.#next(this.#rest)
  }

  #next(line: string): void {
    this.line++
    this.add(line)
  }
}

/** The elements of a file of UTF-8. */
export const textElements = (parserOf: (file: StoredFile) => ElementParser | Promise<ElementParser>): Elements =>
  async function* (file) {
    const parser = await parserOf(file)
    for (const { text, readBytes } of textPieces(file, (...words) => parser.failure(...words))) {
      parser.write(text)
      yield { elements: parser.found.splice(0), readBytes }
    }
    parser.finish()
    yield { elements: parser.found.splice(0), readBytes: file.bytes }
  }

/** A format of text whose elements say all. */
export const ofElements = (elements: Elements) =>
  ({
    kind: 'whole',
    isText: true,
    elements,
    read: readElements(elements),
    firstRows: firstEdges(elements),
  }) as const

/** Reads nodes and edges in two passes: the first finds out what ids and weights are. */
function readElements(elements: Elements): WholeFormat['read'] {
  return async function* (file, context) {
    const survey = yield* surveyOf(elements, file, context)
    const graph = new ElementGraph(context, survey)
    for await (const { elements: some, readBytes } of elements(file)) {
      for (const element of some) graph.add(element)
      yield (file.bytes + readBytes) / 2
    }
    return graph.finish()
  }
}

async function* surveyOf(elements: Elements, file: StoredFile, context: ReaderContext): AsyncGenerator<number, Survey> {
  const { ignoreWeights, table = {} } = context
  const wantedKeys = table.weightColumn === undefined ? weightKeys : [table.weightColumn]
  const keys = new Set<string>()
  let declared: IdSet | null = new IdSet()
  let [nodes, edges, named, textIds, textEnds] = [0, 0, 0, 0, 0]
  for await (const { elements: some, readBytes } of elements(file)) {
    for (const { kind, values } of some) {
      if (kind === 'node') {
        nodes++
        const id = values.get('id')
        if (id !== undefined) named++
        if (typeof (id ?? 0) !== 'number') textIds++
        if (declared !== null && declared.nextBytes > (READER_SHARE / 2) * context.memoryBytes) declared = null
        if (typeof id === 'number' && isIndex(id)) declared?.add(id)
        continue
      }
      edges++
      for (const end of END_NAMES) if (typeof (values.get(end) ?? 0) !== 'number') textEnds++
      for (const key of wantedKeys) if (values.has(key)) keys.add(key)
    }
    yield readBytes / 2
  }
  if (edges === 0) throw inputFailure(file.name, 'there are no edges in this file', 'Is it the right file?')
  const weightKey = ignoreWeights ? null : (table.weightColumn ?? weightKeys.find((key) => keys.has(key)) ?? null)
  const hasIds = named > 0
  // A number among the ids of the nodes can be what edges name.
  const byPlace = nodes > 0 && textEnds === 0 && (!hasIds || textIds === named)
  const areIntegers = textIds === 0 && textEnds === 0
  const areMixed = textIds > 0 && textIds < named
  const ids = byPlace && !hasIds ? 'place' : areIntegers ? 'integer' : 'text'
  return { nodes, weightKey, byPlace, areMixed, ids, declared }
}

/** Columns of a preview. */
const MOST_SHOWN = 1000

/** The first edges, for previews. */
function firstEdges(elements: Elements): NonNullable<WholeFormat['firstRows']> {
  return async (file, most): Promise<FirstRows> => {
    const edges: GraphElement[] = []
    for await (const { elements: some } of elements(file)) {
      edges.push(...some.filter(({ kind }) => kind === 'edge').slice(0, most - edges.length))
      if (edges.length === most) break
    }
    const keys = new Set<string>([...END_NAMES, ...edges.flatMap(({ values }) => [...values.keys()])])
    const weight = weightKeys.find((key) => keys.has(key)) ?? null
    const all = new Set([...END_NAMES, ...(weight === null ? [] : [weight]), ...keys])
    const names = [...all].slice(0, MOST_SHOWN)
    const rows = edges.map(({ values }) => names.map((name) => String(values.get(name) ?? '')))
    return { names, weight, rows }
  }
}

/** Makes entries of nodes and edges. */
export class ElementGraph {
  readonly #context: ReaderContext
  readonly #survey: Survey
  readonly #encoder = new TextEncoder()
  readonly #table: LabelTable | null
  /** Text ids by place, if edges name places. */
  readonly #byPlace: number[] = []
  #declared = 0
  /** Places in the table of texts of those that have a node. */
  readonly #nodes = new WordList()
  /** Numbers that edges name, and no node. */
  readonly #strangers = new IdSet()

  constructor(context: ReaderContext, survey: Survey) {
    this.#context = context
    this.#survey = survey
    this.#table = survey.ids === 'text' ? context.newTable() : null
    context.output.weighted = survey.weightKey !== null
    context.output.next()
  }

  add(element: GraphElement): void {
    try {
      if (element.kind === 'node') this.#node(element)
      else this.#edge(element)
    } catch (error) {
      this.#context.rows.skip(error)
    }
  }

  finish(): ReadOutcome {
    const { weightKey, ids, nodes, areMixed } = this.#survey
    const usual = weightKey === null || weightKey === weightKeys[0]
    const warnings = [
      ...this.#strangersFound(),
      ...(usual ? [] : [`the weights of the edges are their "${weightKey}"`]),
      ...(areMixed === true ? ['ids of nodes are numbers and texts: a number and the text of it are one vertex'] : []),
    ]
    return {
      ...rowsOutcome(this.#context, this.#table, warnings),
      ...(ids === 'place' ? { vertices: { kind: 'counted', vertices: nodes, base: 0 } } : {}),
      ...(this.#declared === 0 ? {} : { declared: this.#declared }),
    }
  }

  /** Vertices that are no nodes, of a file that has nodes. */
  #strangersFound(): string[] {
    const { nodes, ids, declared } = this.#survey
    if (nodes === 0 || ids === 'place') return []
    if (this.#table === null && declared === null)
      return ['whether edges name vertices without a node of their own was not looked at: memory is too small for that']
    const count = this.#table === null ? this.#strangers.size : unseenOf(this.#table.count, this.#nodes.words)
    return count === 0
      ? []
      : [
          `${counted(count, 'vertex is named by edges only; it has no node of its', 'vertices are named by edges only; they have no node of their')} own`,
        ]
  }

  /** A node without edges is a vertex: its entry is a loop, which is taken out again. */
  #node({ values, place }: GraphElement): void {
    const { ids, byPlace } = this.#survey
    if (ids === 'place') return
    // A node that is skipped has its place, too.
    if (byPlace) this.#byPlace.push(NO_VERTEX)
    const id = values.get('id')
    if (id === undefined) throw missingId(place, 'a node has no id', 'Give it one.')
    const known = this.#table?.count ?? 0
    const vertex = this.#vertex(id, place)
    if (byPlace && vertex < known) throw badId(place, `the id "${excerpt(String(id))}" is that of an earlier node`)
    if (byPlace) this.#byPlace[this.#byPlace.length - 1] = vertex
    if (this.#table !== null) {
      requireMemoryFor(this.#context, this.#table.usedBytes, 'keeping the ids of the vertices')
      this.#nodes.push(vertex)
      return
    }
    this.#context.output.addNumbers(vertex, vertex, NaN)
    this.#declared++
  }

  #edge({ values, place }: GraphElement): void {
    const [source, target] = END_NAMES.map((end) => {
      const id = values.get(end)
      if (id === undefined) throw missingId(place, `an edge has no ${end}`, 'Add it, or remove the edge.')
      return id
    }) as [ElementValue, ElementValue]
    const { ids, byPlace } = this.#survey
    if (ids !== 'text' || byPlace) for (const id of [source, target]) this.#requireIndex(id, place)
    const weight = this.#weight(values, place)
    const [from, to] = [this.#end(source, place), this.#end(target, place)]
    if (weight === null) return
    this.#context.output.addNumbers(from, to, weight)
    if (this.#table === null) this.#look(from, to)
  }

  /** For numbers that no node has. */
  #look(...ends: readonly number[]): void {
    const { nodes, ids, declared } = this.#survey
    if (nodes === 0 || ids !== 'integer' || declared === null || declared === undefined) return
    for (const id of ends) if (!declared.has(id)) this.#strangers.add(id)
  }

  #end(id: ElementValue, place: string): number {
    const { byPlace, ids, nodes } = this.#survey
    if (!byPlace) return this.#vertex(id, place)
    const at = Number(id)
    if (at >= nodes)
      throw badId(place, `an edge names the node ${at}, and there are ${nodes} from 0`, 'Is a node missing?')
    if (ids === 'place') return at
    const vertex = this.#byPlace[at]
    if (vertex === undefined)
      throw inputFailure(place, 'an edge names a node by its place, and comes before it', 'Write the nodes first.')
    if (vertex === NO_VERTEX)
      throw missingId(place, `an edge names the node ${at}, which has no id of its own`, 'Mend the node.')
    return vertex
  }

  #vertex(id: ElementValue, place: string): number {
    if (this.#table === null) {
      this.#requireIndex(id, place)
      return Number(id)
    }
    if (typeof id === 'number') this.#requireIndex(id, place)
    if (typeof id === 'string' && !id.isWellFormed())
      throw badId(place, `the id "${excerpt(id)}" ${NOT_TEXT}`, NOT_TEXT_REMEDY)
    const index = this.#table.intern(this.#encoder.encode(String(id)))
    if (id === '' || index < 0)
      throw badId(place, `the id "${excerpt(String(id))}" is empty or holds control characters`)
    return index
  }

  #requireIndex(id: ElementValue, place: string): void {
    if (isIndex(id)) return
    if (typeof id === 'number' && id > Number.MAX_SAFE_INTEGER)
      throw badId(place, `the id ${id} is past 2^53, where numbers lose digits`, 'Write it as a text.')
    throw badId(place, `the id "${excerpt(String(id))}" is no whole number from 0 to 2^53`)
  }

  /** null where a rule drops the entry. */
  #weight(values: GraphElement['values'], place: string): number | null {
    const { weightKey } = this.#survey
    if (weightKey === null) return 1
    const { rows, weights } = this.#context
    const given = values.get(weightKey)
    if (given !== undefined && given !== '') return weights.apply(numberOf(String(given)), () => place, String(given))
    return rows.missing(weights, place, `an edge has no "${weightKey}", where others have one`)
  }
}

/** How many of so many are not in a list. */
function unseenOf(count: number, seen: Uint32Array): number {
  const all = new VertexSet(count)
  for (const v of seen) all.add(v)
  return count - all.summary().size
}
