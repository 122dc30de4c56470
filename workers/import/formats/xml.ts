import type { SaxesTagPlain } from 'saxes'
import { wholeNumber } from '../decimal.ts'
import { lineFailure, type ReadOutcome, requireMemoryFor } from '../graph-reader.ts'
import { LabelTable } from '../label-table.ts'
import { excerpt } from '../weight-policy.ts'
import type { WholeFormat } from './graph-format.ts'
import { type BinaryContext, type StoredFile, textPieces } from './stored-file.ts'
import { xmlElements, type XmlParser, xmlParser } from './xml-elements.ts'

const CHUNK_BYTES = 1 << 20
/** The parser keeps what is between two tags, and what is open. */
const MOST_BETWEEN_TAGS = 64 * CHUNK_BYTES
const DEEPEST = 1000

/** GraphML or GEXF as a stream of XML events: only the ids stay in memory. */
function readXml(dialect: 'graphml' | 'gexf'): WholeFormat['read'] {
  return async (file, context) => {
    const graph = new XmlGraph(dialect, file, context, await xmlParser())
    const { output } = context
    output.weighted = !context.ignoreWeights && (await namesWeights(file))
    output.next()
    for (const { text, readBytes } of textPieces(file, CHUNK_BYTES, (...words) => graph.failure(...words))) {
      graph.write(text)
      requireMemoryFor(context, graph.usedBytes, 'keeping the ids of the vertices')
      await context.pump(readBytes)
    }
    return graph.finish()
  }
}

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

interface Edge {
  readonly from: number
  readonly to: number
  weight: string | null
}

/** Edges may precede their nodes; nodes without edges are vertices too. */
class XmlGraph {
  readonly #dialect: 'graphml' | 'gexf'
  readonly #file: StoredFile
  readonly #context: BinaryContext
  readonly #parser: XmlParser
  readonly #table: LabelTable
  /** Bit v: the vertex v has a node of its own. */
  #declared = new Uint8Array(1 << 10)
  readonly #encoder = new TextEncoder()
  #root = ''
  #graphs = 0
  /** GraphML: keys of the edge weight (a writer may have one for each type), and the weight of edges without. */
  readonly #weightKeys = new Set<string>()
  #defaultWeight = 1
  /** The edge that each open element is part of; graphs may be nested. */
  readonly #open: (Edge | null)[] = []
  /** Characters since the last tag. */
  #untagged = 0
  /** Gathered while a value is open. */
  #text: string | null = null
  #inKey = false
  #withoutWeight = 0
  #undeclared = 0

  constructor(dialect: 'graphml' | 'gexf', file: StoredFile, context: BinaryContext, parser: XmlParser) {
    this.#parser = parser
    this.#dialect = dialect
    this.#file = file
    this.#context = context
    this.#table = context.newTable?.() ?? new LabelTable()
    this.#parser.on('opentag', (tag) => {
      this.#open.push(this.#opened(tag, this.#open.at(-1) ?? null))
      this.#untagged = 0
      if (this.#open.length > DEEPEST)
        throw this.failure(`elements are nested ${DEEPEST} deep`, 'Is the file complete?')
    })
    this.#parser.on('closetag', (tag) => {
      this.#close(localName(tag.name), this.#open.pop() ?? null)
      this.#untagged = 0
    })
    const gather = (text: string) => {
      if (this.#text !== null) this.#text += text
    }
    this.#parser.on('text', gather)
    this.#parser.on('cdata', gather)
    this.#parser.on('error', (error) => {
      throw this.failure(`the XML is not well-formed (${reasonOf(error)})`, 'Is the file complete?')
    })
  }

  get usedBytes(): number {
    return this.#table.usedBytes
  }

  write(text: string): void {
    this.#untagged += text.length
    this.#parser.write(text)
    if (this.#untagged > MOST_BETWEEN_TAGS)
      throw this.failure('there is no tag in 64 MiB of text', 'Is the file complete, and XML?')
  }

  finish(): ReadOutcome {
    this.#parser.close()
    if (this.#graphs === 0) throw this.failure(`there is no <graph> in this file`, 'Is it the right file?')
    const warnings: string[] = []
    for (let v = 0; v < this.#table.count; v++)
      if (((this.#declared[v >>> 3] ?? 0) & (1 << (v & 7))) === 0) this.#undeclared++
    if (this.#undeclared > 0)
      warnings.push(`${this.#undeclared} vertices are named by edges only; they have no <node> of their own`)
    if (this.#withoutWeight > 0)
      warnings.push(`${this.#withoutWeight} edges have no weight and got ${this.#defaultWeight}`)
    if (this.#graphs > 1) warnings.push(`the file holds ${this.#graphs} graphs; they became one`)
    return { vertices: { kind: 'text', table: this.#table }, warnings }
  }

  failure(what: string, remedy: string) {
    return lineFailure(this.#file.name, this.#parser.line, what, remedy)
  }

  /** @returns the edge that an element within this one is part of */
  #opened(tag: SaxesTagPlain, edge: Edge | null): Edge | null {
    const name = localName(tag.name)
    if (this.#root === '') {
      this.#root = name
      if (name !== this.#dialect)
        throw this.failure(`the root element is <${excerpt(name)}>`, `It must be <${this.#dialect}>.`)
    }
    switch (name) {
      case 'graph':
        this.#graphs++
        return null
      case 'node':
        this.#declare(this.#vertex(tag.attributes['id'], 'a node', 'id'))
        return null
      case 'edge':
        return this.#openedEdge(tag.attributes)
      case 'hyperedge':
        throw this.failure('hyperedges are no edges', 'Import a graph without them.')
      case 'key':
        this.#openKey(tag.attributes)
        return edge
      case 'default':
        if (this.#inKey) this.#text = ''
        return edge
      case 'data':
        if (edge !== null && this.#weightKeys.has(tag.attributes['key'] ?? '')) this.#text = ''
        return edge
      default:
        return edge
    }
  }

  #declare(vertex: number): void {
    if (vertex >>> 3 >= this.#declared.length) {
      const larger = new Uint8Array(2 * this.#declared.length)
      larger.set(this.#declared)
      this.#declared = larger
    }
    this.#declared[vertex >>> 3]! |= 1 << (vertex & 7)
  }

  #openedEdge(attributes: SaxesTagPlain['attributes']): Edge {
    if (this.#graphs === 0) throw this.failure('an edge stands outside of <graph>', 'Is the file complete?')
    const from = this.#vertex(attributes['source'], 'an edge', 'source')
    const to = this.#vertex(attributes['target'], 'an edge', 'target')
    const weight = this.#dialect === 'gexf' ? (attributes['weight'] ?? null) : null
    return { from, to, weight }
  }

  #openKey(attributes: SaxesTagPlain['attributes']): void {
    const isEdge = attributes['for'] === 'edge' || attributes['for'] === 'all' || attributes['for'] === undefined
    if (!isEdge || attributes['attr.name']?.toLowerCase() !== 'weight') return
    this.#weightKeys.add(attributes['id'] ?? '')
    this.#inKey = true
  }

  #close(name: string, edge: Edge | null): void {
    if (name === 'key') this.#inKey = false
    else if (name === 'default' && this.#text !== null) {
      this.#defaultWeight = this.#number(this.#text.trim())
      this.#text = null
    } else if (name === 'data' && edge !== null && this.#text !== null) {
      edge.weight = this.#text.trim()
      this.#text = null
    } else if (name === 'edge' && edge !== null) this.#closeEdge(edge)
  }

  #closeEdge({ from, to, weight }: Edge): void {
    const { output, weights } = this.#context
    if (!output.weighted) return output.add(from, to, 1)
    if (weight === null) this.#withoutWeight++
    const value = weight === null ? this.#defaultWeight : this.#number(weight)
    const place = () => `${this.#file.name}:${this.#parser.line}`
    const kept = weights.apply(value, place, weight ?? String(value))
    if (kept !== null) output.add(from, to, kept)
  }

  #number(text: string): number {
    const bytes = this.#encoder.encode(text)
    return wholeNumber(bytes, 0, bytes.length) ?? NaN
  }

  #vertex(id: string | undefined, noun: string, attribute: string): number {
    if (id === undefined || id === '')
      throw this.failure(`${noun} has no ${attribute}`, 'Every node needs an id, every edge a source and a target.')
    const index = this.#table.intern(this.#encoder.encode(id))
    if (index < 0) throw this.failure(`the id "${excerpt(id)}" holds control characters`, 'Mend it.')
    return index
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** saxes writes "line:column: reason". */
function reasonOf(error: Error): string {
  return error.message.replace(/^[^a-zA-Z]*/, '').replace(/\.$/, '')
}

/** The document is searched for weights before its first edge is read. */
const MOST_PREVIEW_BYTES = 64 << 20

export const graphml: WholeFormat = {
  kind: 'whole',
  name: 'graphml',
  written: [],
  words: {
    files: '`.graphml`',
    recognisedBy: 'the root element',
    vertices: 'the nodes, and those that edges name; texts',
    notes: [
      '**GraphML**: the weight is the edge key whose `attr.name` is `weight`; GEXF: the attribute `weight`. Ids are texts, in the order of their code points. Hyperedges are refused; several graphs become one.',
    ],
  },
  isText: true,
  root: 'graphml',
  promisedBy: { ends: ['.graphml'] },
  read: readXml('graphml'),
  elements: xmlElements('graphml'),
  mostPreviewBytes: MOST_PREVIEW_BYTES,
}

export const gexf: WholeFormat = {
  kind: 'whole',
  name: 'gexf',
  written: [],
  words: { files: '`.gexf`', recognisedBy: 'the root element', vertices: 'the same' },
  isText: true,
  root: 'gexf',
  promisedBy: { ends: ['.gexf'] },
  read: readXml('gexf'),
  elements: xmlElements('gexf'),
  mostPreviewBytes: MOST_PREVIEW_BYTES,
}
