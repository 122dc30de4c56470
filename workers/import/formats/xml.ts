import { WordList } from '../../base/word-list.ts'
import { VertexSet } from '../../graph/vertex-set.ts'
import { ElementGraph, textElements } from './graph-elements.ts'
import type { WholeFormat } from './graph-format.ts'
import type { StoredFile } from './stored-file.ts'
import type { Dialect, XmlParser } from './xml-parser.ts'

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

/** Few imports need it. */
const loadParser = () => import('./xml-parser.ts')

/** Edges may precede their nodes; nodes without edges are vertices too. Only the ids stay in memory. */
const readXml =
  (dialect: Dialect): WholeFormat['read'] =>
  async (file, context) => {
    const { XmlParser } = await loadParser()
    const parser = new XmlParser(dialect, file, false)
    const isWeighted = !context.ignoreWeights && (await namesWeights(file))
    const survey = { nodes: 0, weightKey: isWeighted ? 'weight' : null, ids: 'text', byPlace: false } as const
    const graph = new ElementGraph(context, survey)
    const declared = new WordList()
    for await (const { elements, readBytes } of textElements(() => parser)(file)) {
      for (const element of elements) {
        const vertex = graph.add(element)
        if (vertex !== undefined) declared.push(vertex)
      }
      await context.pump(readBytes)
    }
    const outcome = graph.finish()
    const warnings = [...outcome.warnings, ...warningsOf(parser, isWeighted)]
    const undeclared = outcome.vertices.kind === 'text' ? undeclaredOf(outcome.vertices.table.count, declared.words) : 0
    if (undeclared > 0)
      warnings.unshift(`${undeclared} vertices are named by edges only; they have no <node> of their own`)
    return { ...outcome, warnings }
  }

function warningsOf({ withoutWeight, defaultWeight, graphs }: XmlParser, isWeighted: boolean): string[] {
  return [
    ...(isWeighted && withoutWeight > 0 ? [`${withoutWeight} edges have no weight and got ${defaultWeight}`] : []),
    ...(graphs > 1 ? [`the file holds ${graphs} graphs; they became one`] : []),
  ]
}

/** How many vertices have no node of their own. */
function undeclaredOf(count: number, declared: Uint32Array): number {
  const own = new VertexSet(count)
  for (const v of declared) own.add(v)
  return count - own.summary().size
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
  elements: textElements(async (file) => new (await loadParser()).XmlParser(dialect, file, true)),
  mostPreviewBytes: MOST_PREVIEW_BYTES,
})

export const graphml = xml('graphml')
export const gexf = xml('gexf')
