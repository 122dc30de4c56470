import type { SaxesParser, SaxesTagPlain } from 'saxes'
import type { Elements, ElementValue, GraphElement } from './graph-format.ts'
import type { StoredFile } from './stored-file.ts'

const CHUNK_BYTES = 1 << 20
const numeric = new Set(['int', 'integer', 'long', 'short', 'byte', 'float', 'double', 'decimal'])

/** An attribute that a file declares. */
interface Declared {
  readonly name: string
  readonly type: string
  /** What elements without it have. */
  default: string | null
}

export type XmlParser = SaxesParser<{ xmlns: false }>

/** Few imports need it. */
export async function xmlParser(): Promise<XmlParser> {
  const { SaxesParser } = await import('saxes')
  return new SaxesParser({ xmlns: false })
}

type Kind = GraphElement['kind']
const isKind = (name: string): name is Kind => name === 'node' || name === 'edge'
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The attributes of nodes and edges in GraphML or GEXF, which the reader of the graph has found to be well-formed. */
class XmlAttributes {
  readonly found: GraphElement[] = []
  readonly #file: StoredFile
  readonly #isGexf: boolean
  readonly #parser: XmlParser
  /** By id: GEXF has a list for nodes and one for edges. */
  readonly #declared: Readonly<Record<Kind, Map<string, Declared>>> = { node: new Map(), edge: new Map() }
  /** Elements that are open; nodes may hold graphs. */
  readonly #open: { kind: Kind; values: Map<string, ElementValue>; depth: number }[] = []
  #depth = 0
  #class: Kind | null = null
  #declaring: Declared | null = null
  #column: Declared | null = null
  #text: string | null = null
  #readBytes = 0

  constructor(file: StoredFile, isGexf: boolean, parser: XmlParser) {
    this.#parser = parser
    this.#file = file
    this.#isGexf = isGexf
    this.#parser.on('opentag', (tag) => {
      this.#depth++
      this.#opened(localName(tag.name), tag.attributes)
    })
    this.#parser.on('closetag', (tag) => {
      this.#closed(localName(tag.name))
      this.#depth--
    })
    const gather = (text: string): void => {
      if (this.#text !== null) this.#text += text
    }
    this.#parser.on('text', gather)
    this.#parser.on('cdata', gather)
  }

  write(text: string, readBytes: number): void {
    this.#readBytes = readBytes
    this.#parser.write(text)
  }

  #opened(name: string, attributes: SaxesTagPlain['attributes']): void {
    const open = this.#open.at(-1)
    if (isKind(name)) this.#begin(name, attributes)
    else if (name === 'key') this.#declare(attributes)
    else if (name === 'attributes') this.#class = attributes['class'] === 'edge' ? 'edge' : 'node'
    else if (name === 'attribute' && this.#class !== null) {
      const { id = '', title = id, type = 'string' } = attributes
      this.#declaring = { name: title, type, default: null }
      this.#declared[this.#class].set(id, this.#declaring)
    } else if (name === 'default') this.#text = ''
    else if (name === 'data' && open?.depth === this.#depth - 1) {
      this.#column = this.#declared[open.kind].get(attributes['key'] ?? '') ?? null
      this.#text = ''
    } else if (name === 'attvalue' && open !== undefined) {
      const column = this.#declared[open.kind].get(attributes['for'] ?? attributes['id'] ?? '')
      if (column !== undefined) open.values.set(column.name, typed(attributes['value'] ?? '', column.type))
    }
  }

  #begin(kind: Kind, attributes: SaxesTagPlain['attributes']): void {
    const values = new Map<string, ElementValue>()
    const own = kind === 'edge' ? ['source', 'target'] : ['id']
    for (const name of [...own, ...(this.#isGexf ? ['label', 'weight'] : [])]) {
      const value = attributes[name]
      if (value !== undefined) values.set(name, value)
    }
    this.#open.push({ kind, values, depth: this.#depth })
  }

  /** GraphML. */
  #declare(attributes: SaxesTagPlain['attributes']): void {
    const { id = '', for: of = 'all' } = attributes
    const name = attributes['attr.name'] ?? id
    this.#declaring = { name, type: attributes['attr.type'] ?? 'string', default: null }
    for (const kind of ['node', 'edge'] as const)
      if (of === kind || of === 'all') this.#declared[kind].set(id, this.#declaring)
  }

  #closed(name: string): void {
    const open = this.#open.at(-1)
    if (name === 'default' && this.#declaring !== null) this.#declaring.default = (this.#text ?? '').trim()
    else if (name === 'key' || name === 'attribute') this.#declaring = null
    else if (name === 'attributes') this.#class = null
    else if (name === 'data' && open !== undefined && this.#text !== null) {
      const value = this.#text.trim()
      if (this.#column !== null && value !== '') open.values.set(this.#column.name, typed(value, this.#column.type))
    } else if (open?.depth === this.#depth) this.#end()
    if (name === 'default' || name === 'data') this.#text = null
  }

  #end(): void {
    const { kind, values } = this.#open.pop()!
    for (const column of this.#declared[kind].values())
      if (column.default !== null && column.default !== '' && !values.has(column.name))
        values.set(column.name, typed(column.default, column.type))
    this.found.push({ kind, values, readBytes: this.#readBytes, place: `${this.#file.name}:${this.#parser.line}` })
  }
}

function typed(text: string, type: string): ElementValue {
  if (type === 'boolean') return /^(?:true|1)$/i.test(text)
  const number = numeric.has(type) && text !== '' ? Number(text) : NaN
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
  return isExact ? number : text
}

export function xmlElements(dialect: 'graphml' | 'gexf'): Elements {
  return async function* (file) {
    const attributes = new XmlAttributes(file, dialect === 'gexf', await xmlParser())
    const decoder = new TextDecoder()
    for (let at = 0; at < file.bytes; at += CHUNK_BYTES) {
      const bytes = file.read(at, Math.min(CHUNK_BYTES, file.bytes - at))
      attributes.write(decoder.decode(bytes, { stream: true }), at + bytes.length)
      yield* attributes.found.splice(0)
    }
  }
}
