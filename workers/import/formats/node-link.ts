/**
 * Graphs in JSON: node-link data of NetworkX and D3, and JSON Graph Format. json-pieces.ts hands out one element at a time, so memory
 * holds one, and the ids.
 */
import { inputFailure } from '../../base/failure.ts'
import { ElementFields, ofElements } from './graph-elements.ts'
import type { Elements, GraphElement, WholeFormat } from './graph-format.ts'
import { type JsonPath, JsonPieces } from './json-pieces.ts'
import { type StoredFile, textPieces } from './stored-file.ts'

type Kind = GraphElement['kind']

/** NetworkX writes links, since version 3.4 edges. */
const arrays: Readonly<Record<string, Kind>> = { nodes: 'node', links: 'edge', edges: 'edge' }

/** What a value at this place is; null for no element. */
type KindAt = (path: JsonPath) => Kind | null

/** A form of graphs in JSON. */
interface JsonForm {
  readonly kindAt: KindAt
  /** Makes the fields of an object that is an element. */
  readonly fieldsOf: (object: Readonly<Record<string, unknown>>, place: string, path: JsonPath) => ElementFields
}

const kindOf = (key: string | number | undefined): Kind | null =>
  typeof key === 'string' && Object.hasOwn(arrays, key) ? arrays[key]! : null

const nodeLinkKind: KindAt = (path) => (path.length === 2 && typeof path[1] === 'number' ? kindOf(path[0]) : null)

/** The nodes and links of a JSON file, one at a time. @throws Failure (input) */
const jsonElements = ({ kindAt, fieldsOf }: JsonForm): Elements =>
  async function* (file: StoredFile) {
    const found: GraphElement[] = []
    const counts = { node: 0, edge: 0 }
    const failure = (what: string) => {
      const read = `after ${counts.node} nodes and ${counts.edge} edges`
      return inputFailure(file.name, `the JSON is broken ${read} (${what})`, 'Is the file complete?')
    }
    const take = (path: JsonPath, value: unknown): void => {
      const kind = kindAt(path)!
      const place = `${file.name}, ${kind} ${++counts[kind]}`
      if (!isObject(value))
        throw inputFailure(
          place,
          `${kind === 'edge' ? 'an edge' : 'a node'} is no object with fields`,
          'Is it of the node-link form?',
        )
      const values = fieldsOf(value, place, path)
      found.push({ kind, values, place })
    }
    const json = new JsonPieces({ wants: (path) => kindAt(path) !== null, take, failure })
    for (const { text, readBytes } of textPieces(file, (what, remedy) => inputFailure(file.name, what, remedy))) {
      json.write(text)
      yield { elements: found.splice(0), readBytes }
    }
    json.finish()
    yield { elements: found.splice(0), readBytes: file.bytes }
  }

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Objects within become fields with dots, lists JSON. @param unfolded an object whose fields are those of the element @throws Failure (input) for too many, and for what is no text */
function flatFields(object: Readonly<Record<string, unknown>>, place: string, unfolded = ''): ElementFields {
  const fields = new ElementFields((what, remedy) => inputFailure(place, what, remedy))
  const add = (inner: Readonly<Record<string, unknown>>, prefix: string): void => {
    for (const [key, value] of Object.entries(inner)) {
      const name = `${prefix}${key}`
      if (name === unfolded && isObject(value)) {
        add(value, '')
        continue
      }
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') fields.set(name, value)
      else if (Array.isArray(value)) fields.set(name, JSON.stringify(value))
      else if (isObject(value)) add(value, `${name}.`)
    }
  }
  add(object, '')
  return fields
}

export const nodeLink: WholeFormat = {
  ...ofElements(jsonElements({ kindAt: nodeLinkKind, fieldsOf: (object, place) => flatFields(object, place) })),
  name: 'node-link',
  recognise: (head) =>
    /^\s*\{/.test(head) &&
    /"(?:nodes|links|edges)"\s*:\s*\[/.test(head) &&
    !/"elements"\s*:\s*\{|"adjacency"\s*:\s*\[\s*\[/.test(head)
      ? 'it has lists of nodes and links'
      : null,
}

/** Steps to the graph: `graph`, or the first of `graphs`. */
function withinGraph(path: JsonPath): JsonPath | null {
  if (path[0] === 'graph') return path.slice(1)
  return path[0] === 'graphs' && typeof path[1] === 'number' ? path.slice(2) : null
}

/** The nodes of an object by their ids, or in a list; edges in a list. */
const jsonGraphKind: KindAt = (path) => {
  const [list, key, ...deeper] = withinGraph(path) ?? []
  if (key === undefined || deeper.length > 0) return null
  if (list === 'nodes') return 'node'
  return (list === 'edges' || list === 'hyperedges') && typeof key === 'number' ? 'edge' : null
}

/** What is in `metadata` are the fields of the element. @throws Failure (input) for what is no graph */
function jsonGraphFields(object: Readonly<Record<string, unknown>>, place: string, path: JsonPath): ElementFields {
  if (path[0] === 'graphs' && path[1] !== 0)
    throw inputFailure(place, 'the file holds several graphs', 'Write each to a file of its own.')
  if (path.includes('hyperedges')) throw inputFailure(place, 'hyperedges are no edges', 'Import a graph without them.')
  const fields = flatFields(object, place, 'metadata')
  const key = path.at(-1)
  if (path.at(-2) === 'nodes' && typeof key === 'string') fields.set('id', key)
  return fields
}

/** JSON Graph Format (jsongraphformat.info), versions 1 and 2. */
export const jsonGraph: WholeFormat = {
  ...ofElements(jsonElements({ kindAt: jsonGraphKind, fieldsOf: jsonGraphFields })),
  name: 'json-graph',
  recognise: (head) =>
    /^\s*\{(?:\s*"[^"]*"\s*:\s*(?:"[^"]*"|[\d.]+|true|false|null)\s*,)*\s*"graphs?"\s*:\s*\[?\s*\{(?:[^{}]|\{[^{}]*\})*"(?:nodes|edges)"\s*:/.test(
      head.slice(0, JSON_HEAD),
    )
      ? 'its graph has nodes and edges, as JSON Graph Format has them'
      : null,
}

const JSON_HEAD = 4096
