import { inputFailure, WITHOUT_WEIGHTS } from '../../base/failure.ts'
import { type ReadOutcome, requireMemoryFor, type VertexSpace } from '../graph-reader.ts'
import { LabelTable } from '../label-table.ts'
import { BadRow, MISSING_WEIGHT_FIXES } from '../row-policy.ts'
import { excerpt } from '../weight-policy.ts'
import {
  type Elements,
  type ElementValue,
  END_NAMES,
  type FirstRows,
  type GraphElement,
  type WholeFormat,
} from './graph-format.ts'
import type { BinaryContext } from './stored-file.ts'
import { numberOf } from './text-reader.ts'

const LIMB = 2 ** 32
const PUMP_ELEMENTS = 1 << 16
/** What edges call their weight, the likelier first: GML and D3 have "value". */
export const weightKeys = ['weight', 'value'] as const

/** What the whole file says before its first edge is taken. */
class Survey {
  nodes = 0
  edges = 0
  weighted = 0
  readonly weightKey: string | null
  /** Ids are whole numbers from 0, texts, or the places of the nodes. */
  readonly ids: 'integer' | 'text' | 'place'
  /** Edges name the places of nodes, counted from 0. */
  readonly byPlace: boolean

  constructor(seen: SeenIds, weightKey: string | null) {
    this.nodes = seen.nodes
    this.edges = seen.edges
    this.weightKey = weightKey
    const hasIds = seen.nodes > 0 && seen.named > 0
    const areInteger = (seen.textIds === 0 && hasIds) || (!hasIds && seen.textEnds === 0)
    this.byPlace = seen.nodes > 0 && seen.textEnds === 0 && (!hasIds || seen.textIds > 0)
    this.ids = this.byPlace && !hasIds ? 'place' : areInteger && seen.textEnds === 0 ? 'integer' : 'text'
  }
}

class SeenIds {
  nodes = 0
  edges = 0
  named = 0
  textIds = 0
  textEnds = 0

  see({ kind, values }: GraphElement): void {
    if (kind === 'node') {
      this.nodes++
      const id = values.get('id')
      if (id === undefined) return
      this.named++
      if (typeof id !== 'number') this.textIds++
    } else {
      this.edges++
      for (const end of END_NAMES) if (typeof (values.get(end) ?? 0) !== 'number') this.textEnds++
    }
  }
}

const isIndex = (value: ElementValue): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/** Reads nodes and edges in two passes: the first finds out what ids and weights are. */
export function readElements(elements: Elements): WholeFormat['read'] {
  return async (file, context) => {
    const seen = new SeenIds()
    const keys = new Map<string, number>()
    let count = 0
    for await (const element of elements(file)) {
      seen.see(element)
      if (element.kind === 'edge') for (const key of element.values.keys()) keys.set(key, (keys.get(key) ?? 0) + 1)
      if (++count % PUMP_ELEMENTS === 0) await context.pump(element.readBytes / 2)
    }
    if (seen.edges === 0) throw inputFailure(file.name, 'there are no edges in this file', 'Is it the right file?')
    const graph = new ElementGraph(context, new Survey(seen, weightKeyOf(keys, context)))
    for await (const element of elements(file)) {
      graph.add(element)
      if (++count % PUMP_ELEMENTS === 0) await context.pump((file.bytes + element.readBytes) / 2)
    }
    return graph.finish()
  }
}

function weightKeyOf(
  keys: ReadonlyMap<string, number>,
  { ignoreWeights, table = {} }: Pick<BinaryContext, 'ignoreWeights' | 'table'>,
): string | null {
  if (ignoreWeights) return null
  return table.weightColumn ?? weightKeys.find((key) => keys.has(key)) ?? null
}

/** The first edges, for previews. */
export function firstEdges(elements: Elements): NonNullable<WholeFormat['firstRows']> {
  return async (file, most): Promise<FirstRows> => {
    const edges: GraphElement[] = []
    for await (const element of elements(file)) {
      if (element.kind === 'edge') edges.push(element)
      if (edges.length === most) break
    }
    const keys = new Set([...END_NAMES, ...edges.flatMap(({ values }) => [...values.keys()])])
    const weight = weightKeys.find((key) => keys.has(key))
    const names: string[] = [...END_NAMES, ...(weight === undefined ? [] : [weight])]
    for (const key of keys) if (!names.includes(key)) names.push(key)
    return {
      names,
      weight: weight ?? null,
      rows: edges.map(({ values }) => names.map((name) => String(values.get(name) ?? ''))),
    }
  }
}

class ElementGraph {
  readonly #context: BinaryContext
  readonly #survey: Survey
  readonly #encoder = new TextEncoder()
  readonly #table: LabelTable | null
  /** Of text ids by place, where edges name places. */
  readonly #byPlace: number[] = []
  #declared = 0
  #nodes = 0

  constructor(context: BinaryContext, survey: Survey) {
    this.#context = context
    this.#survey = survey
    this.#table = survey.ids === 'text' ? (context.newTable?.() ?? new LabelTable()) : null
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
    const { rows, weights } = this.#context
    const skipped = rows.skipped + weights.skipped
    const { weightKey, ids } = this.#survey
    const usual = weightKey === null || weightKey === weightKeys[0]
    const warnings = [...(usual ? [] : [`the weights of the edges are their "${weightKey}"`]), ...rows.warnings()]
    const vertices: VertexSpace =
      this.#table !== null
        ? { kind: 'text', table: this.#table }
        : ids === 'place'
          ? { kind: 'counted', vertices: this.#survey.nodes, base: 0 }
          : { kind: 'occurring' }
    return {
      vertices,
      warnings,
      ...(skipped === 0 ? {} : { skipped }),
      ...(this.#declared === 0 ? {} : { declared: this.#declared }),
    }
  }

  /** A node without edges is a vertex: its entry is a loop, which is taken out again. */
  #node({ values, place }: GraphElement): void {
    this.#nodes++
    if (this.#survey.ids === 'place') return
    const id = values.get('id')
    if (id === undefined) throw new BadRow('missing-id', place, 'a node has no id', 'Give it one.')
    const vertex = this.#vertex(id, place)
    if (this.#survey.byPlace) this.#byPlace.push(vertex)
    if (this.#table !== null) {
      requireMemoryFor(this.#context, this.#table.usedBytes, 'keeping the ids of the vertices')
      return
    }
    this.#add(vertex, vertex, NaN)
    this.#declared++
  }

  #edge({ values, place }: GraphElement): void {
    const [source, target] = END_NAMES.map((end) => {
      const id = values.get(end)
      if (id === undefined)
        throw new BadRow('missing-id', place, `an edge has no ${end}`, 'Add it, or remove the edge.')
      return id
    }) as [ElementValue, ElementValue]
    if (this.#survey.ids !== 'text') for (const id of [source, target]) this.#requireIndex(id, place)
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
    return ids === 'place' ? at : (this.#byPlace[at] ?? this.#late(place))
  }

  #late(place: string): never {
    throw inputFailure(place, 'an edge names a node by its place, and comes before it', 'Write the nodes first.')
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
    const what = `an edge has no "${weightKey}", where others have one`
    const fixes = [...MISSING_WEIGHT_FIXES, WITHOUT_WEIGHTS]
    return rows.missing(() => new BadRow('missing-weight', place, what, 'Add it.', fixes))
  }
}
