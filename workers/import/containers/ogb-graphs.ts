/**
 * Archives of OGB that hold many graphs ("Dataset format for graph property prediction", ogb/io): edge.csv has the edges of all, one graph behind
 * another, with ids from 0 in each; num-node-list.csv and num-edge-list.csv have a line for each graph; node-NAME.csv and edge-NAME.csv, of what
 * vertices and edges have, a line for each of all. One graph, by its number, is cut out to a table of edges and one of vertices, which are
 * imported as all tables are. Files are read up to the end of the graph; memory holds a piece of each.
 */

import { createWriteStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { excerpt, type Failure, inputFailure, MORE_MEMORY } from '../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { TableOptions } from '../../contract/jobs.ts'
import { END_NAMES } from '../formats/graph-format.ts'
import { graphNumber, otherNumber } from '../formats/graph-number.ts'
import { lineTooLong, MAX_VERTICES, wholeLines } from '../reader/graph-reader.ts'
import { longestLine } from '../reader/import-resources.ts'
import { TextSource } from '../reader/text-source.ts'
import { featureOf, isCount, isEdgeCount } from './choose-member.ts'
import type { Contained, Unpacked } from './open-container.ts'
import { BYTES_OF_VERTEX } from './vertices-beside.ts'

const NEWLINE = 10
const RETURN = 13
/** Characters of a table that are written at a time. */
const PIECE = 1 << 16

/** A graph as tables of edges and of vertices, and how these are read. */
export interface CutGraph {
  readonly edges: Unpacked
  readonly vertices: Unpacked
  readonly table: TableOptions
}

/** How files are read: the longest line, and the job that may be cancelled. */
interface Limits {
  readonly lineBytes: number
  readonly job: JobContext
}

/** Lines of one graph. */
interface Part {
  readonly first: number
  readonly count: number
}

/** How many graphs an archive of OGB holds; null for what is none. @throws Failure (input) */
export async function graphsOfOgb({ beside }: Contained, job: JobContext): Promise<number | null> {
  const counts = beside.find(isCount)
  return counts === undefined ? null : (await partOf(counts, 0, { lineBytes: longestLine(0), job })).graphs
}

/**
 * Cuts out one graph of an archive of OGB.
 * @returns null for what is no such archive, and for one of one graph, of which no number was asked
 * @throws Failure (input) for files that do not fit one another, and where a person has to choose; (cancelled)
 */
export async function oneOfOgb(
  archive: Contained,
  table: TableOptions = {},
  memoryBytes: number,
  job: JobContext,
): Promise<CutGraph | null> {
  const { path, name, beside, member } = archive
  const graphs = await graphsOfOgb(archive, job)
  if (graphs === null || (graphs < 2 && member === undefined)) return null
  const wanted = graphNumber(name, member)
  const other = otherNumber(name, graphs, wanted)
  if (wanted === null || other !== null) throw other!
  const [nodes, edges] = [beside.find(isCount)!, beside.find(isEdgeCount)]
  if (edges === undefined) throw inputFailure(name, 'num-edge-list.csv is missing in the archive', 'Download it again.')
  const limits = { lineBytes: longestLine(memoryBytes), job }
  const [ofNodes, ofEdges] = [await partOf(nodes, wanted, limits), await partOf(edges, wanted, limits)]
  if (ofEdges.graphs !== graphs)
    throw inputFailure(
      edges.name,
      `it counts ${ofEdges.graphs} graphs, and ${nodes.name} ${graphs}`,
      'Download it again.',
    )
  if (ofNodes.count > MAX_VERTICES || BYTES_OF_VERTEX * ofNodes.count > memoryBytes) {
    const what = `the graph ${wanted} has ${ofNodes.count} vertices, which need more memory than the import may take`
    throw inputFailure(nodes.name, what, '', [MORE_MEMORY])
  }
  const featuresOf = (kind: 'node' | 'edge'): readonly Unpacked[] =>
    table.attributes === 'none' ? [] : beside.filter((file) => featureOf(file)?.of === kind)
  const folder = dirname(path)
  const cut = { edges: join(folder, 'edges-of-one.csv'), vertices: join(folder, 'vertices-of-one.csv') }
  const ends = endsOf(archive, ofEdges, ofNodes.count, limits)
  await written(cut.edges, rowsOf({ names: END_NAMES.join(), rows: ends }, featuresOf('edge'), ofEdges, limits))
  const ids = { names: 'id', rows: idsTo(ofNodes.count) }
  await written(cut.vertices, rowsOf(ids, featuresOf('node'), ofNodes, limits))
  // Where ends are chosen, a third column is no weight.
  const [sourceColumn, targetColumn] = END_NAMES
  return {
    edges: { path: cut.edges, name: `${name}#${wanted}` },
    vertices: { path: cut.vertices, name: nodes.name },
    table: { ...table, sourceColumn, targetColumn, header: 'yes', delimiter: 'comma', comment: '' },
  }
}

/** Which lines are those of a graph, by the numbers of the graphs before it, and how many graphs are counted. @throws Failure (input) */
async function partOf(counts: Unpacked, wanted: number, limits: Limits): Promise<Part & { readonly graphs: number }> {
  let [graphs, first, count] = [0, 0, 0]
  for await (const text of linesOf(counts, { first: 0, count: Infinity }, limits)) {
    if (text === '') continue
    graphs++
    if (!/^\d{1,10}$/.test(text)) throw noFit(counts, graphs, `"${excerpt(text)}" is no number of vertices or edges`)
    if (graphs < wanted) first += Number(text)
    else if (graphs === wanted) count = Number(text)
  }
  return { graphs, first, count }
}

/** The ends of the edges of a graph. @throws Failure (input) at a line */
async function* endsOf(edges: Unpacked, part: Part, vertices: number, limits: Limits): AsyncGenerator<string> {
  let line = part.first
  for await (const text of linesOf(edges, part, limits)) {
    line++
    const ends = /^(\d{1,10}),(\d{1,10})$/.exec(text)
    if (ends === null) throw noFit(edges, line, `"${excerpt(text)}" is no edge "0,1"`)
    if (!(Number(ends[1]) < vertices && Number(ends[2]) < vertices))
      throw noFit(edges, line, `the edge ${text} leaves its graph, which has ${vertices} vertices`)
    yield text
  }
}

async function* idsTo(count: number): AsyncGenerator<string> {
  for (let id = 0; id < count; id++) yield String(id)
}

interface Columns {
  /** The names of columns, with commas between them. */
  readonly names: string
  readonly rows: AsyncGenerator<string>
}

/** The rows of a table: columns of a graph, and its features behind them. @throws Failure (input) */
async function* rowsOf(
  own: Columns,
  features: readonly Unpacked[],
  part: Part,
  limits: Limits,
): AsyncGenerator<string> {
  const columns = [own]
  try {
    const firsts: string[] = []
    for (const file of part.count === 0 ? [] : features) {
      const rows = linesOf(file, part, limits)
      const first = String((await rows.next()).value)
      columns.push({ names: namesOf(file, first), rows })
      firsts.push(first)
    }
    let text = `${columns.map(({ names }) => names).join()}\n`
    for (let row = 0; row < part.count; row++) {
      for (const [at, { rows }] of columns.entries())
        text += `${at === 0 ? '' : ','}${row === 0 && at > 0 ? firsts[at - 1] : (await rows.next()).value}`
      text += '\n'
      if (text.length < PIECE) continue
      yield text
      text = ''
    }
    yield text
  } finally {
    for (const { rows } of columns) await rows.return(undefined)
  }
}

/** The columns of a file: feat, or feat1, feat2. */
function namesOf(file: Unpacked, row: string): string {
  const { called } = featureOf(file)!
  const width = row.split(',').length
  return width === 1 ? called : Array.from({ length: width }, (_, i) => `${called}${i + 1}`).join()
}

/** Lines without their ends, as latin1; all of a part are there. @throws Failure (input) */
async function* linesOf(file: Unpacked, { first, count }: Part, { lineBytes, job }: Limits): AsyncGenerator<string> {
  if (count === 0) return
  const text = await TextSource.open(file.path, { encoding: null })
  let line = 0
  try {
    for await (const { bytes, start, end } of wholeLines(text.chunks(), lineBytes, () =>
      lineTooLong(file.name, lineBytes),
    )) {
      throwIfCancelled(job.signal)
      for (let at = start; at < end && line < first + count; line++) {
        const newline = bytes.indexOf(NEWLINE, at)
        const last = newline > at && bytes[newline - 1] === RETURN ? newline - 1 : newline
        if (line >= first) yield Buffer.from(bytes.buffer, bytes.byteOffset + at, last - at).toString('latin1')
        at = newline + 1
      }
      if (line === first + count) return
    }
  } finally {
    await text.close()
  }
  if (count !== Infinity)
    throw inputFailure(file.name, `it has ${line} lines, and its graph ends at line ${first + count}`, 'Is it whole?')
}

const noFit = ({ name }: Unpacked, line: number, what: string): Failure =>
  inputFailure(`${name}:${line}`, what, 'Are the files of one archive?')

const written = (path: string, rows: AsyncGenerator<string>): Promise<void> =>
  pipeline(Readable.from(rows), createWriteStream(path, { flags: 'wx', encoding: 'latin1' }))
