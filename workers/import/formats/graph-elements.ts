import { excerpt, type Failure, inputFailure } from '../../base/failure.ts'
import { type ReadOutcome, requireMemoryFor, rowsOutcome } from '../graph-reader.ts'
import type { LabelTable } from '../input-ids.ts'
import { numberOf } from '../numbers.ts'
import { BadRow } from '../policies.ts'
import {
  type Elements,
  type ElementValue,
  END_NAMES,
  type FirstRows,
  type GraphElement,
  type WholeFormat,
} from './graph-format.ts'
import { type BinaryContext, type StoredFile, textPieces } from './stored-file.ts'

const LIMB = 2 ** 32
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
}

const isIndex = (value: ElementValue): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/** Finds nodes and edges in text. */
export interface ElementParser {
  /** Those that ended, until they are taken. */
  readonly found: GraphElement[]
  write(text: string): void
  /** @throws Failure (input) where something is open */
  finish(): void
  /** At the place that was come to. */
  failure(what: string, remedy: string): Failure
}

/** Of a file of UTF-8. */
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
  return async (file, context) => {
    const survey = await surveyOf(elements, file, context)
    const graph = new ElementGraph(context, survey)
    for await (const { elements: some, readBytes } of elements(file)) {
      for (const element of some) graph.add(element)
      await context.pump((file.bytes + readBytes) / 2)
    }
    return graph.finish()
  }
}

async function surveyOf(elements: Elements, file: StoredFile, context: BinaryContext): Promise<Survey> {
  const keys = new Set<string>()
  let [nodes, edges, named, textIds, textEnds] = [0, 0, 0, 0, 0]
  for await (const { elements: some, readBytes } of elements(file)) {
    for (const { kind, values } of some) {
      if (kind === 'node') {
        nodes++
        const id = values.get('id')
        if (id !== undefined) named++
        if (typeof (id ?? 0) !== 'number') textIds++
        continue
      }
      edges++
      for (const end of END_NAMES) if (typeof (values.get(end) ?? 0) !== 'number') textEnds++
      for (const key of values.keys()) keys.add(key)
    }
    await context.pump(readBytes / 2)
  }
  if (edges === 0) throw inputFailure(file.name, 'there are no edges in this file', 'Is it the right file?')
  const { ignoreWeights, table = {} } = context
  const weightKey = ignoreWeights ? null : (table.weightColumn ?? weightKeys.find((key) => keys.has(key)) ?? null)
  const hasIds = named > 0
  // A number among the ids of the nodes can be what edges name.
  const byPlace = nodes > 0 && textEnds === 0 && (!hasIds || textIds === named)
  const areIntegers = textIds === 0 && textEnds === 0
  const areMixed = textIds > 0 && textIds < named
  return { nodes, weightKey, byPlace, areMixed, ids: byPlace && !hasIds ? 'place' : areIntegers ? 'integer' : 'text' }
}

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
    const names = [...new Set([...END_NAMES, ...(weight === null ? [] : [weight]), ...keys])]
    const rows = edges.map(({ values }) => names.map((name) => String(values.get(name) ?? '')))
    return { names, weight, rows }
  }
}

/** Makes entries of nodes and edges. */
export class ElementGraph {
  readonly #context: BinaryContext
  readonly #survey: Survey
  readonly #encoder = new TextEncoder()
  readonly #table: LabelTable | null
  /** Of text ids by place, where edges name places. */
  readonly #byPlace: number[] = []
  #declared = 0

  constructor(context: BinaryContext, survey: Survey) {
    this.#context = context
    this.#survey = survey
    this.#table = survey.ids === 'text' ? context.newTable() : null
    context.output.weighted = survey.weightKey !== null
    context.output.next()
  }

  /** @returns of a node its place in the table of texts */
  add(element: GraphElement): number | undefined {
    try {
      if (element.kind === 'node') return this.#node(element)
      this.#edge(element)
    } catch (error) {
      this.#context.rows.skip(error)
    }
    return undefined
  }

  finish(): ReadOutcome {
    const { weightKey, ids, nodes, areMixed } = this.#survey
    const usual = weightKey === null || weightKey === weightKeys[0]
    const warnings = [
      ...(usual ? [] : [`the weights of the edges are their "${weightKey}"`]),
      ...(areMixed === true ? ['ids of nodes are numbers and texts: a number and the text of it are one vertex'] : []),
    ]
    return {
      ...rowsOutcome(this.#context, this.#table, warnings),
      ...(ids === 'place' ? { vertices: { kind: 'counted', vertices: nodes, base: 0 } } : {}),
      ...(this.#declared === 0 ? {} : { declared: this.#declared }),
    }
  }

  /** A node without edges is a vertex: its entry is a loop, which is taken out again. */
  #node({ values, place }: GraphElement): number | undefined {
    const { ids, byPlace } = this.#survey
    if (ids === 'place') return undefined
    // A node that is skipped has its place, too.
    if (byPlace) this.#byPlace.push(NO_VERTEX)
    const id = values.get('id')
    if (id === undefined) throw new BadRow('missing-id', place, 'a node has no id', 'Give it one.')
    const known = this.#table?.count ?? 0
    const vertex = this.#vertex(id, place)
    if (byPlace && vertex < known)
      throw new BadRow('bad-id', place, `the id "${excerpt(String(id))}" is that of an earlier node`, 'Mend it.')
    if (byPlace) this.#byPlace[this.#byPlace.length - 1] = vertex
    if (this.#table !== null) {
      requireMemoryFor(this.#context, this.#table.usedBytes, 'keeping the ids of the vertices')
      return vertex
    }
    this.#add(vertex, vertex, NaN)
    this.#declared++
    return undefined
  }

  #edge({ values, place }: GraphElement): void {
    const [source, target] = END_NAMES.map((end) => {
      const id = values.get(end)
      if (id === undefined)
        throw new BadRow('missing-id', place, `an edge has no ${end}`, 'Add it, or remove the edge.')
      return id
    }) as [ElementValue, ElementValue]
    const { ids, byPlace } = this.#survey
    if (ids !== 'text' || byPlace) for (const id of [source, target]) this.#requireIndex(id, place)
    const weight = this.#weight(values, place)
    const [from, to] = [this.#end(source, place), this.#end(target, place)]
    if (weight !== null) this.#add(from, to, weight)
  }

  #add(from: number, to: number, weight: number): void {
    this.#context.output.addWide(from % LIMB, Math.floor(from / LIMB), to % LIMB, Math.floor(to / LIMB), weight)
  }

  #end(id: ElementValue, place: string): number {
    const { byPlace, ids, nodes } = this.#survey
    if (!byPlace) return this.#vertex(id, place)
    const at = Number(id)
    if (at >= nodes)
      throw new BadRow(
        'bad-id',
        place,
        `an edge names the node ${at}, and there are ${nodes} from 0`,
        'Is a node missing?',
      )
    if (ids === 'place') return at
    const vertex = this.#byPlace[at]
    if (vertex === undefined)
      throw inputFailure(place, 'an edge names a node by its place, and comes before it', 'Write the nodes first.')
    if (vertex === NO_VERTEX)
      throw new BadRow(
        'missing-id',
        place,
        `an edge names the node ${at}, which has no id of its own`,
        'Mend the node.',
      )
    return vertex
  }

  #vertex(id: ElementValue, place: string): number {
    if (this.#table === null) {
      this.#requireIndex(id, place)
      return Number(id)
    }
    if (typeof id === 'number') this.#requireIndex(id, place)
    const index = this.#table.intern(this.#encoder.encode(String(id)))
    if (id === '' || index < 0)
      throw new BadRow(
        'bad-id',
        place,
        `the id "${excerpt(String(id))}" is empty or holds control characters`,
        'Mend it.',
      )
    return index
  }

  #requireIndex(id: ElementValue, place: string): void {
    if (isIndex(id)) return
    if (typeof id === 'number' && id > Number.MAX_SAFE_INTEGER)
      throw new BadRow('bad-id', place, `the id ${id} is past 2^53, where numbers lose digits`, 'Write it as a text.')
    throw new BadRow('bad-id', place, `the id "${excerpt(String(id))}" is no whole number from 0 to 2^53`, 'Mend it.')
  }

  /** null where a rule drops the entry. */
  #weight(values: GraphElement['values'], place: string): number | null {
    const { weightKey } = this.#survey
    if (weightKey === null) return 1
    const { rows, weights } = this.#context
    const given = values.get(weightKey)
    if (given !== undefined && given !== '') return weights.apply(numberOf(String(given)), () => place, String(given))
    return rows.missing(place, `an edge has no "${weightKey}", where others have one`)
  }
}
