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

const kindOf = (key: string | number | undefined): Kind | null =>
  typeof key === 'string' && Object.hasOwn(arrays, key) ? arrays[key]! : null

const nodeLinkKind: KindAt = (path) => (path.length === 2 && typeof path[1] === 'number' ? kindOf(path[0]) : null)

/** The nodes and links of a JSON file, one at a time. @throws Failure (input) */
const jsonElements = (kindAt: KindAt): Elements =>
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
      const values = fieldsOf(value, place)
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

/** Objects within become fields with dots, lists JSON. @throws Failure (input) for too many, and for what is no text */
function fieldsOf(object: Readonly<Record<string, unknown>>, place: string): ElementFields {
  const fields = new ElementFields((what, remedy) => inputFailure(place, what, remedy))
  const add = (inner: Readonly<Record<string, unknown>>, prefix: string): void => {
    for (const [key, value] of Object.entries(inner)) {
      const name = `${prefix}${key}`
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') fields.set(name, value)
      else if (Array.isArray(value)) fields.set(name, JSON.stringify(value))
      else if (isObject(value)) add(value, `${name}.`)
    }
  }
  add(object, '')
  return fields
}

export const nodeLink: WholeFormat = {
  ...ofElements(jsonElements(nodeLinkKind)),
  name: 'node-link',
  recognise: (head) =>
    /^\s*\{/.test(head) &&
    /"(?:nodes|links|edges)"\s*:\s*\[/.test(head) &&
    !/"elements"\s*:\s*\{|"adjacency"\s*:\s*\[\s*\[/.test(head)
      ? 'it has lists of nodes and links'
      : null,
}
