import { usageFailure } from '../../base/failure.ts'
import type { ExportedGraph } from './exported-graph.ts'

const CHUNK_CHARACTERS = 1 << 18

type Lines = Generator<string>

/** The shortest usual decimal that reads back as the same f32. */
function decimal(weight: number): string {
  const short = Number(weight.toPrecision(7))
  return String(Math.fround(short) === weight ? short : Number(weight.toPrecision(9)))
}

function* arcLines(
  graph: ExportedGraph,
  once: boolean,
  line: (u: number, v: number, w: number | null) => string,
): Lines {
  for (const { sources, targets, weights } of graph.pieces())
    for (let i = 0; i < targets.length; i++)
      if (!once || sources[i]! < targets[i]!)
        yield line(sources[i]!, targets[i]!, weights === null ? null : weights[i]!)
}

/** The lower triangle of a symmetric matrix. */
export function* matrixMarketLines(graph: ExportedGraph): Lines {
  yield `%%MatrixMarket matrix coordinate ${graph.weighted ? 'real' : 'pattern'} symmetric\n`
  yield `${graph.vertices} ${graph.vertices} ${graph.arcs / 2}\n`
  yield* arcLines(graph, true, (u, v, w) => `${v + 1} ${u + 1}${w === null ? '' : ` ${decimal(w)}`}\n`)
}

/**
 * In the user's ids; texts in quotes, so that they are never taken for numbers.
 * @param bare for programs that know neither comments nor quotes
 * @throws Failure (usage) for a text that cannot be written bare
 */
export function* edgeListLines(graph: ExportedGraph, bare = false): Lines {
  if (!bare) yield `# Undirected graph: each edge once. Vertices: ${graph.vertices} Edges: ${graph.arcs / 2}\n`
  const id = bare ? bareLabel(graph) : labelWriter(graph)
  yield* arcLines(graph, true, (u, v, w) => `${id(u)}\t${id(v)}${w === null ? '' : `\t${decimal(w)}`}\n`)
}

/** RFC 4180 with a header; texts in quotes. */
export function* csvLines(graph: ExportedGraph, spreadsheetSafe = false): Lines {
  yield `source,target${graph.weighted ? ',weight' : ''}\n`
  const id = labelWriter(graph, spreadsheetSafe)
  yield* arcLines(graph, true, (u, v, w) => `${id(u)},${id(v)}${w === null ? '' : `,${decimal(w)}`}\n`)
}

function labelWriter({ labels }: ExportedGraph, spreadsheetSafe = false): (v: number) => string {
  return labels.kind === 'text'
    ? (v) => quoted(spreadsheetSafe ? inert(labels.of(v)) : labels.of(v))
    : (v) => labels.of(v)
}

function bareLabel({ labels }: ExportedGraph): (v: number) => string {
  return (v) => {
    const label = labels.of(v)
    if (label !== '' && !/[\s"#%]/.test(label)) return label
    const what = 'an id with blanks, quotes or signs of comments cannot be written bare'
    throw usageFailure(JSON.stringify(label), what, 'Leave it out, or write CSV.')
  }
}

/** Weights that are not whole are written as decimals. */
export function* metisLines(graph: ExportedGraph): Lines {
  yield `${graph.vertices} ${graph.arcs / 2}${graph.weighted ? ' 001' : ''}\n`
  let line = 0
  let text = ''
  for (const { sources, targets, weights } of graph.pieces()) {
    for (let i = 0; i < targets.length; i++) {
      for (; line < sources[i]!; line++) {
        yield `${text}\n`
        text = ''
      }
      text += `${text === '' ? '' : ' '}${targets[i]! + 1}${weights === null ? '' : ` ${decimal(weights[i]!)}`}`
      if (text.length < CHUNK_CHARACTERS) continue
      yield `${text} `
      text = ''
    }
  }
  for (; line < graph.vertices; line++) {
    yield `${text}\n`
    text = ''
  }
}

export function* dimacsLines(graph: ExportedGraph): Lines {
  yield `p edge ${graph.vertices} ${graph.arcs / 2}\n`
  yield* arcLines(graph, true, (u, v) => `e ${u + 1} ${v + 1}\n`)
}

/** DIMACS-9 .gr: both arcs of every edge, weight 1 where there is none. */
export function* dimacs9Lines(graph: ExportedGraph): Lines {
  yield `p sp ${graph.vertices} ${graph.arcs}\n`
  yield* arcLines(graph, false, (u, v, w) => `a ${u + 1} ${v + 1} ${w === null ? 1 : decimal(w)}\n`)
}

export function* pbbsLines(graph: ExportedGraph): Lines {
  yield `${graph.weighted ? 'Weighted' : ''}AdjacencyGraph\n${graph.vertices}\n${graph.arcs}\n`
  let start = 0
  for (const ends of graph.ends()) {
    for (const end of ends) {
      yield `${start}\n`
      start = end
    }
  }
  yield* arcLines(graph, false, (_, v) => `${v}\n`)
  if (graph.weighted) yield* arcLines(graph, false, (_, __, w) => `${decimal(w ?? 1)}\n`)
}

export function* labelLines(graph: ExportedGraph): Lines {
  for (let v = 0; v < graph.vertices; v++) yield `${graph.labels.of(v)}\n`
}

/** RFC 4180. @param spreadsheetSafe an apostrophe before what would be a formula (OWASP, "CSV Injection") */
export function csvField(text: string, spreadsheetSafe = false): string {
  const cell = spreadsheetSafe ? inert(text) : text
  return /[",\r\n]/.test(cell) ? quoted(cell) : cell
}

/** @throws Failure (usage) where a file without cells is to be made safe */
export function requireCells(format: string, spreadsheetSafe: boolean | undefined): void {
  if (spreadsheetSafe !== true || format === 'csv' || format === 'aggregate') return
  throw usageFailure(undefined, `${format} is nothing that a spreadsheet opens`, '', [
    { action: 'set', option: 'format', to: 'csv' },
    { action: 'omit', option: 'spreadsheetSafe' },
  ])
}

const inert = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
