import { type ReadOutcome, requireMemoryFor } from '../graph-reader.ts'
import { LabelTable } from '../label-table.ts'
import { excerpt } from '../weight-policy.ts'
import type { Elements, WholeFormat } from './graph-format.ts'
import type { BinaryContext, StoredFile } from './stored-file.ts'
import { numberOf } from './text-reader.ts'
import type { Dialect, XmlElement, XmlParser } from './xml-parser.ts'

const CHUNK_BYTES = 1 << 20

/** Whether the word is in the file, as a key of GraphML or an attribute of GEXF. */
async function namesWeights(file: StoredFile): Promise<boolean> {
  const word = Buffer.from('weight')
  let tail = Buffer.alloc(0)
  for (let at = 0; at < file.bytes; at += CHUNK_BYTES) {
    const chunk = Buffer.concat([tail, file.read(at, Math.min(CHUNK_BYTES, file.bytes - at))])
    if (chunk.includes(word)) return true
    tail = chunk.subarray(-word.length)
  }
  return false
}

/** Edges may precede their nodes; nodes without edges are vertices too. Only the ids stay in memory. */
class XmlGraph {
  readonly parser: XmlParser
  readonly #context: BinaryContext
  readonly #table: LabelTable
  /** Bit v: the vertex v has a node of its own. */
  #declared = new Uint8Array(1 << 10)
  readonly #encoder = new TextEncoder()
  #withoutWeight = 0

  constructor(context: BinaryContext, open: (take: (element: XmlElement) => void) => XmlParser) {
    this.#context = context
    this.#table = context.newTable?.() ?? new LabelTable()
    this.parser = open((element) => this.#add(element))
  }

  get usedBytes(): number {
    return this.#table.usedBytes
  }

  finish(): ReadOutcome {
    const warnings: string[] = []
    let undeclared = 0
    for (let v = 0; v < this.#table.count; v++)
      if (((this.#declared[v >>> 3] ?? 0) & (1 << (v & 7))) === 0) undeclared++
    if (undeclared > 0)
      warnings.push(`${undeclared} vertices are named by edges only; they have no <node> of their own`)
    if (this.#withoutWeight > 0)
      warnings.push(`${this.#withoutWeight} edges have no weight and got ${this.parser.defaultWeight}`)
    const { graphs } = this.parser
    if (graphs > 1) warnings.push(`the file holds ${graphs} graphs; they became one`)
    return { vertices: { kind: 'text', table: this.#table }, warnings }
  }

  #add({ kind, values, weight, line, place }: XmlElement): void {
    const { output, weights } = this.#context
    if (kind === 'node') return this.#declare(this.#vertex(values.get('id'), line))
    const [from, to] = [this.#vertex(values.get('source'), line), this.#vertex(values.get('target'), line)]
    if (!output.weighted) return output.add(from, to, 1)
    if (weight === null) this.#withoutWeight++
    const value = weight === null ? this.parser.defaultWeight : numberOf(weight)
    const kept = weights.apply(value, () => place, weight ?? String(value))
    if (kept !== null) output.add(from, to, kept)
  }

  #declare(vertex: number): void {
    if (vertex >>> 3 >= this.#declared.length) {
      const larger = new Uint8Array(2 * this.#declared.length)
      larger.set(this.#declared)
      this.#declared = larger
    }
    this.#declared[vertex >>> 3]! |= 1 << (vertex & 7)
  }

  #vertex(value: unknown, line: number): number {
    const id = String(value)
    const index = this.#table.intern(this.#encoder.encode(id))
    if (index < 0) throw this.parser.failure(`the id "${excerpt(id)}" holds control characters`, 'Mend it.', line)
    return index
  }
}

/** Few imports need it. */
const loadParser = () => import('./xml-parser.ts')

const readXml =
  (dialect: Dialect): WholeFormat['read'] =>
  async (file, context) => {
    const { XmlParser } = await loadParser()
    const graph = new XmlGraph(context, (take) => new XmlParser(dialect, file, false, take))
    const { output } = context
    output.weighted = !context.ignoreWeights && (await namesWeights(file))
    output.next()
    for (const readBytes of graph.parser.pieces()) {
      requireMemoryFor(context, graph.usedBytes, 'keeping the ids of the vertices')
      await context.pump(readBytes)
    }
    return graph.finish()
  }

const xmlElements = (dialect: Dialect): Elements =>
  async function* (file) {
    const { XmlParser } = await loadParser()
    const found: XmlElement[] = []
    for (const _ of new XmlParser(dialect, file, true, (element) => found.push(element)).pieces())
      yield* found.splice(0)
  }

/** The document is searched for weights before its first edge is read. */
const MOST_PREVIEW_BYTES = 64 << 20

const xml = (dialect: Dialect): WholeFormat => ({
  kind: 'whole',
  name: dialect,
  isText: true,
  root: dialect,
  promisedBy: { ends: [`.${dialect}`] },
  read: readXml(dialect),
  elements: xmlElements(dialect),
  mostPreviewBytes: MOST_PREVIEW_BYTES,
})

export const graphml = xml('graphml')
export const gexf = xml('gexf')
