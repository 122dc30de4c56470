import { inputFailure } from '../../base/failure.ts'
import { ofElements } from './graph-elements.ts'
import type { Elements, ElementValue, GraphElement, WholeFormat } from './graph-format.ts'
import type { StoredFile } from './stored-file.ts'

/** NetworkX writes links, since version 3.4 edges. */
const arrays = { nodes: 'node', links: 'edge', edges: 'edge' } as const

/** The nodes and links of a JSON file, one at a time. @throws Failure (input) */
const jsonElements: Elements = async function* (file: StoredFile) {
  const found: GraphElement[] = []
  const counts = { node: 0, edge: 0 }
  const { JSONParser } = await import('@streamparser/json')
  const parser = new JSONParser({ paths: Object.keys(arrays).map((name) => `$.${name}.*`), keepStack: false })
  parser.onValue = ({ value, stack }) => {
    const kind = arrays[stack[1]?.key as keyof typeof arrays]
    const place = `${file.name}, ${kind} ${++counts[kind]}`
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw inputFailure(place, `a ${kind} is no object with fields`, 'Is it of the node-link form?')
    found.push({ kind, values: fieldsOf(value as Readonly<Record<string, unknown>>), place })
  }
  let failure: Error | null = null
  parser.onError = (error) => (failure ??= error)
  for (const { bytes, readBytes } of file.pieces()) {
    parser.write(bytes)
    yield { elements: found.splice(0), readBytes }
    if (failure !== null) break
  }
  if (failure === null && !parser.isEnded) parser.end()
  if (failure !== null) throw brokenJson(file, failure, counts)
}

function brokenJson({ name }: StoredFile, error: Error, { node, edge }: { node: number; edge: number }): Error {
  if (error.name === 'Failure') return error
  const read = `after ${node} nodes and ${edge} edges`
  return inputFailure(name, `the JSON is broken ${read} (${error.message.slice(0, 120)})`, 'Is the file complete?')
}

/** Objects within become fields with dots, lists JSON. */
function fieldsOf(object: Readonly<Record<string, unknown>>, prefix = ''): Map<string, ElementValue> {
  const fields = new Map<string, ElementValue>()
  for (const [key, value] of Object.entries(object)) {
    const name = `${prefix}${key}`
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') fields.set(name, value)
    else if (Array.isArray(value)) fields.set(name, JSON.stringify(value))
    else if (value !== null && value !== undefined)
      for (const [inner, one] of fieldsOf(value as Readonly<Record<string, unknown>>, `${name}.`))
        fields.set(inner, one)
  }
  return fields
}

export const nodeLink: WholeFormat = {
  ...ofElements(jsonElements),
  name: 'node-link',
  recogniseText: (head) =>
    /^\s*\{/.test(head) &&
    /"(?:nodes|links|edges)"\s*:\s*\[/.test(head) &&
    !/"elements"\s*:\s*\{|"adjacency"\s*:\s*\[\s*\[/.test(head)
      ? 'it has lists of nodes and links'
      : null,
}
