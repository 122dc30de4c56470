/**
 * GraphML (U. Brandes and others, "GraphML Progress Report", GD 2001) and GEXF 1.1 to 1.3 (Gephi), streamed by saxes: nodes and edges with
 * declared columns and defaults, each made when it ends, nodes within nodes too. Ids are texts. The weight of an edge is the key called weight,
 * or the attribute of that name, else the declared default, as GraphML says; whether there is one is looked for in the bytes first. Memory holds
 * the ids and what is open; entities and depth are bounded. Refusals name the line. graph-elements.ts makes entries and attributes of the
 * elements.
 */

import { counted } from '../../base/counted.ts'
import type { SaxesParser, SaxesTagPlain } from 'saxes'
import { bufferOf } from '../../base/words.ts'
import { excerpt } from '../../base/failure.ts'
import {
  type ElementFields,
  ElementGraph,
  ElementParser,
  MOST_FIELD_CHARS,
  MOST_FIELDS,
  textElements,
} from './graph-elements.ts'
import { type ElementValue, END_NAMES, type GraphElement, type WholeFormat } from './graph-format.ts'
import type { StoredFile } from './stored-file.ts'

type Dialect = 'graphml' | 'gexf'

/** The parser keeps what is between two tags, and what is open. */
const MOST_BETWEEN_TAGS = 16 << 20
const DEEPEST = 1000
/** Nodes within nodes: each keeps its attributes until it ends. */
const DEEPEST_NODES = 32
/** Attributes that nodes and edges have where they do not name them. */
const MOST_DEFAULTS = 256
const numeric = new Set(['int', 'integer', 'long', 'short', 'byte', 'float', 'double', 'decimal'])

type Kind = GraphElement['kind']
const isKind = (name: string): name is Kind => name === 'node' || name === 'edge'
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** An attribute that a file declares. */
interface Column {
  readonly name: string
  readonly type: string
  /** An edge key of GraphML, whose `attr.name` is so in any case. */
  readonly isWeight: boolean
  /** What elements without it have. */
  default: string | null
  readonly kinds: readonly Kind[]
}

interface OpenElement {
  readonly kind: Kind
  readonly values: ElementFields
  readonly depth: number
}

/** Nodes and edges of GraphML or GEXF with their attributes, each when it ends. */
class XmlParser extends ElementParser {
  graphs = 0
  /** Nodes, edges and values of GEXF that are only for a time, and spells. */
  times = 0
  /** Edges that got the default. */
  withoutWeight = 0
  /** The weight of edges without one, as GraphML says. */
  defaultWeight = '1'
  readonly #dialect: Dialect
  readonly #keepsAll: boolean
  readonly #parser: SaxesParser<{ xmlns: false }>
  /** Declared columns by id: GEXF has a list for nodes and one for edges. */
  readonly #declared: Readonly<Record<Kind, Map<string, Column>>> = { node: new Map(), edge: new Map() }
  /** Those with a default. */
  readonly #defaults: Readonly<Record<Kind, Set<Column>>> = { node: new Set(), edge: new Set() }
  /** Attributes of the tag that is open. */
  #attributes = 0
  /** Nodes may hold graphs. */
  readonly #open: OpenElement[] = []
  #depth = 0
  #root = ''
  #class: Kind | null = null
  #declaring: Column | null = null
  #column: Column | null = null
  /** Gathered while a value is open. */
  #text: string | null = null
  /** Characters since the last tag. */
  #untagged = 0

  /** @param keepsAll attributes; else ids, and of every edge its `weight`, as it is written */
  constructor(parser: SaxesParser<{ xmlns: false }>, dialect: Dialect, file: StoredFile, keepsAll: boolean) {
    super(file)
    this.#parser = parser
    this.#dialect = dialect
    this.#keepsAll = keepsAll
    this.#parser.on('attribute', () => {
      if (++this.#attributes > MOST_FIELDS)
        throw this.failure(`a tag has more than ${MOST_FIELDS} attributes`, 'Is the file damaged?')
    })
    this.#parser.on('opentag', (tag) => {
      this.#attributes = 0
      this.#opened(localName(tag.name), tag.attributes)
      this.#untagged = 0
      if (++this.#depth > DEEPEST) throw this.failure(`elements are nested ${DEEPEST} deep`, 'Is the file complete?')
    })
    this.#parser.on('closetag', (tag) => {
      this.#depth--
      this.#closed(localName(tag.name))
      this.#untagged = 0
    })
    const gather = (text: string) => {
      if (this.#text === null) return
      this.#text += text
      if (this.#text.length > MOST_FIELD_CHARS)
        throw this.failure(`a value is longer than ${MOST_FIELD_CHARS >> 20} MiB`, 'Is the file complete?')
    }
    this.#parser.on('text', gather)
    this.#parser.on('cdata', gather)
    this.#parser.on('error', (error) => {
      throw this.failure(`the XML is not well-formed (${reasonOf(error)})`, 'Is the file complete?')
    })
  }

  write(text: string): void {
    this.#untagged += text.length
    this.#parser.write(text)
    if (this.#untagged > MOST_BETWEEN_TAGS)
      throw this.failure(`there is no tag in ${MOST_BETWEEN_TAGS >> 20} MiB of text`, 'Is the file complete, and XML?')
  }

  finish(): void {
    this.#parser.close()
    if (this.graphs === 0) throw this.failure(`there is no <graph> in this file`, 'Is it the right file?')
  }

  protected get line(): number {
    return this.#parser.line
  }

  #opened(name: string, attributes: SaxesTagPlain['attributes']): void {
    if (this.#root === '') {
      this.#root = name
      if (name !== this.#dialect)
        throw this.failure(`the root element is <${excerpt(name)}>`, `It must be <${this.#dialect}>.`)
    }
    const open = this.#open.at(-1)
    const isTimed = attributes['start'] !== undefined || attributes['end'] !== undefined
    const mayBeTimed = name === 'spell' || ((isKind(name) || name === 'attvalue') && isTimed)
    if (this.#dialect === 'gexf' && mayBeTimed) this.times++
    if (isKind(name)) this.#begin(name, attributes)
    else if (name === 'graph') this.graphs++
    else if (name === 'hyperedge') throw this.failure('hyperedges are no edges', 'Import a graph without them.')
    else if (name === 'key') this.#declareKey(attributes)
    else if (name === 'attributes') this.#class = attributes['class'] === 'edge' ? 'edge' : 'node'
    else if (name === 'attribute' && this.#class !== null) {
      const { id = '', title = id, type = 'string' } = attributes
      this.#declare(id, { name: title, type, isWeight: false, default: null, kinds: [this.#class] })
    } else if (name === 'default') this.#text = ''
    else if (name === 'data' && open?.depth === this.#depth - 1) {
      const column = this.#declared[open.kind].get(attributes['key'] ?? '') ?? null
      this.#column = this.#keepsAll || column?.isWeight === true ? column : null
      if (this.#column !== null) this.#text = ''
    } else if (name === 'attvalue' && open !== undefined && this.#keepsAll) {
      const column = this.#declared[open.kind].get(attributes['for'] ?? attributes['id'] ?? '')
      if (column !== undefined) open.values.set(nameOf(column, open), typed(attributes['value'] ?? '', column.type))
    }
  }

  #begin(kind: Kind, attributes: SaxesTagPlain['attributes']): void {
    if (kind === 'edge' && this.graphs === 0)
      throw this.failure('an edge stands outside of <graph>', 'Is the file complete?')
    if (this.#open.length >= DEEPEST_NODES)
      throw this.failure(`nodes are nested ${DEEPEST_NODES} deep`, 'Is the file complete?')
    const values = this.fields()
    const isGexf = this.#dialect === 'gexf'
    for (const name of kind === 'edge' ? END_NAMES : ['id']) {
      const id = attributes[name]
      if (id === undefined || id === '')
        throw this.failure(
          `${kind === 'edge' ? 'an edge' : 'a node'} has no ${name}`,
          'Every node needs an id, every edge a source and a target.',
        )
      values.set(name, id)
    }
    const { label, weight } = attributes
    if (isGexf && label !== undefined) values.set('label', label)
    if (isGexf && weight !== undefined) values.set('weight', kind === 'node' ? typed(weight, 'double') : weight)
    this.#open.push({ kind, values, depth: this.#depth })
  }

  /** GraphML. */
  #declareKey(attributes: SaxesTagPlain['attributes']): void {
    const { id = '', for: of = 'all' } = attributes
    const name = attributes['attr.name']
    const isWeight = (of === 'edge' || of === 'all') && name?.toLowerCase() === 'weight'
    const kinds = (['node', 'edge'] as const).filter((kind) => of === kind || of === 'all')
    const type = attributes['attr.type'] ?? 'string'
    this.#declare(id, { name: name ?? id, type, isWeight, default: null, kinds })
  }

  #declare(id: string, column: Column): void {
    this.#declaring = column
    for (const kind of column.kinds) {
      this.#declared[kind].set(id, column)
      if (this.#declared[kind].size > MOST_FIELDS)
        throw this.failure(`more than ${MOST_FIELDS} attributes are declared`, 'Is the file damaged?')
    }
  }

  #closed(name: string): void {
    const open = this.#open.at(-1)
    const text = this.#text?.trim() ?? ''
    if (name === 'default' && this.#declaring !== null) {
      this.#withDefault(this.#declaring, text)
      if (this.#declaring.isWeight) this.defaultWeight = text
    } else if (name === 'key' || name === 'attribute') this.#declaring = null
    else if (name === 'attributes') this.#class = null
    else if (name === 'data' && open !== undefined && this.#column !== null) {
      if (this.#column.isWeight && !this.#keepsAll) open.values.set('weight', text)
      else if (text !== '') open.values.set(nameOf(this.#column, open), typed(text, this.#column.type))
      this.#column = null
    } else if (open?.depth === this.#depth) this.#end(this.#open.pop()!)
    if (name === 'default' || name === 'data') this.#text = null
  }

  #withDefault(column: Column, text: string): void {
    column.default = text
    for (const kind of ['node', 'edge'] as const) {
      if (column.kinds.includes(kind)) this.#defaults[kind].add(column)
      if (this.#defaults[kind].size > MOST_DEFAULTS)
        throw this.failure(`more than ${MOST_DEFAULTS} attributes have a default`, 'Is the file damaged?')
    }
  }

  #end({ kind, values }: OpenElement): void {
    if (this.#keepsAll)
      for (const column of this.#defaults[kind]) {
        const { type, default: text } = column
        const name = nameOf(column, { kind, values })
        if (text !== null && text !== '' && !values.has(name)) values.set(name, typed(text, type))
      }
    if (kind === 'edge' && !this.#keepsAll && !values.has('weight')) {
      values.set('weight', this.defaultWeight)
      this.withoutWeight++
    }
    this.ended(kind, values)
  }
}

/** What a column is called: the weight of an edge, and one of a node that has it twice, is called so in any case. */
const nameOf = ({ name, isWeight }: Column, { kind, values }: Pick<OpenElement, 'kind' | 'values'>): string =>
  (kind === 'edge' && isWeight) || (name.toLowerCase() === 'weight' && kind === 'node' && values.has('weight'))
    ? 'weight'
    : name

/** saxes writes "line:column: reason". */
function reasonOf(error: Error): string {
  return error.message.replace(/^[^a-zA-Z]*/, '').replace(/\.$/, '')
}

function typed(text: string, type: string): ElementValue {
  if (type === 'boolean') return /^(?:true|1)$/i.test(text)
  const number = numeric.has(type) && text !== '' ? Number(text) : NaN
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
  return isExact ? number : text
}

/** What gives edges weights: a key of GraphML, by its name in any case; the attribute of an edge of GEXF. */
const weightMarks: Readonly<Record<Dialect, (text: string) => boolean>> = {
  graphml: (text) =>
    [...text.matchAll(/<(?:[\w.-]+:)?key\b[^<>]*>/g)].some(
      ([key]) => /attr\.name\s*=\s*["']weight["']/i.test(key) && !/\sfor\s*=\s*["'](?!edge|all)/.test(key),
    ),
  gexf: (text) => /<(?:[\w.-]+:)?edge\b[^<>]*\sweight\s*=/.test(text),
}
/** The longest tag that two pieces of the file may share. */
const MOST_TAG_BYTES = 1 << 14

/** Whether edges of the file have weights. */
async function namesWeights(file: StoredFile, dialect: Dialect): Promise<boolean> {
  let tail = ''
  for (const { bytes } of file.pieces()) {
    const text = tail + bufferOf(bytes).toString('latin1')
    if (/weight/i.test(text) && weightMarks[dialect](text)) return true
    tail = text.slice(-MOST_TAG_BYTES)
  }
  return false
}

/** The library is loaded when a file needs it. */
async function parserOf(dialect: Dialect, file: StoredFile, keepsAll: boolean): Promise<XmlParser> {
  const saxes = await import('saxes')
  return new XmlParser(new saxes.SaxesParser({ xmlns: false as const }), dialect, file, keepsAll)
}

/** Edges may precede their nodes; nodes without edges are vertices too. Only the ids stay in memory. */
const readXml = (dialect: Dialect): WholeFormat['read'] =>
  async function* (file, context) {
    const parser = await parserOf(dialect, file, false)
    const isWeighted = !context.ignoreWeights && (await namesWeights(file, dialect))
    // Nodes are counted as they come.
    const survey = { nodes: Infinity, weightKey: isWeighted ? 'weight' : null, ids: 'text', byPlace: false } as const
    const graph = new ElementGraph(context, survey)
    for await (const { elements, readBytes } of textElements(() => parser)(file)) {
      for (const element of elements) graph.add(element)
      yield readBytes
    }
    const outcome = graph.finish()
    const { withoutWeight, defaultWeight, graphs } = parser
    const warnings = [
      ...outcome.warnings,
      ...(isWeighted && withoutWeight > 0
        ? [`${counted(withoutWeight, 'edge has', 'edges have')} no weight and got ${defaultWeight}`]
        : []),
      ...(parser.times > 0
        ? [
            `${counted(parser.times, 'time', 'times')} of a dynamic graph ${parser.times === 1 ? 'was' : 'were'} left out: vertices and edges stand for all times, and of several values the last one stays`,
          ]
        : []),
      ...(graphs > 1 ? [`the file holds ${graphs} graphs; they became one`] : []),
    ]
    return { ...outcome, warnings }
  }

/** Before it there may be comments and a document type. */
const rootOf = (head: string): string | undefined =>
  /^\s*</.test(head)
    ? /<(?:[\w.-]+:)?(graphml|gexf)[\s>/]/.exec(head.replaceAll(/<!--[\s\S]*?-->/g, ''))?.[1]
    : undefined

/** The document is searched for weights before its first edge is read. */
const MOST_PREVIEW_BYTES = 64 << 20

const xml = (dialect: Dialect): WholeFormat => ({
  kind: 'whole',
  name: dialect,
  isText: true,
  promisedBy: { ends: [`.${dialect}`] },
  recognise: (head) => (rootOf(head) === dialect ? `its root element is ${dialect}` : null),
  read: readXml(dialect),
  elements: textElements((file) => parserOf(dialect, file, true)),
  mostPreviewBytes: MOST_PREVIEW_BYTES,
})

export const graphml = xml('graphml')
export const gexf = xml('gexf')
