import { inputFailure } from '../../base/failure.ts'
import type { FormatName } from '../../contract/jobs.ts'
import { egr, galois, gapbs, graph500, graph500Packed, vite } from './binary-graphs.ts'
import { arrow, parquet } from './columnar.ts'
import { edgeList } from './edge-list.ts'
import { gml, lemon } from './element-texts.ts'
import { type GraphFormat, hasEdgeLines, hasRows, type TextFormat, type WholeFormat } from './graph-format.ts'
import { matrixMarket } from './matrix-market.ts'
import { metis } from './metis.ts'
import { pbbs } from './pbbs.ts'
import { dimacs, dimacs9, konect, pace } from './numbered-edges.ts'
import { webgraph } from './webgraph.ts'
import { gexf, graphml } from './xml.ts'
import { graph6 } from './graph6.ts'
import { hmetis } from './hmetis.ts'
import { jsonGraph, nodeLink } from './node-link.ts'
import { npy, npz } from './npz.ts'
import { pajek } from './pajek.ts'
import { rutherfordBoeing } from './rutherford-boeing.ts'

/** The formats in the order of detection. */
const formats: Readonly<Record<FormatName, GraphFormat>> = {
  webgraph,
  parquet,
  arrow,
  galois,
  egr,
  gapbs,
  vite,
  graph500,
  'graph500-packed': graph500Packed,
  graphml,
  gexf,
  gml,
  'json-graph': jsonGraph,
  'node-link': nodeLink,
  lemon,
  pajek,
  graph6,
  npz,
  npy,
  hmetis,
  'rutherford-boeing': rutherfordBoeing,
  'matrix-market': matrixMarket,
  pbbs,
  konect,
  pace,
  dimacs,
  dimacs9,
  metis,
  'edge-list': edgeList,
}

const all = Object.values(formats)
export const textFormats = all.filter((format) => format.kind === 'text')
export const wholeFormats = all.filter((format) => format.kind === 'whole')

export const formatOf = (name: FormatName): GraphFormat => formats[name]

/** Threads parse them in any order. */
export const linesAreParsed = (name: FormatName): boolean => hasEdgeLines(formats[name])

/** The format that a report names: a graph may also be generated, or a sample. */
export const reportedFormat = (name: string): GraphFormat | undefined => all.find((format) => format.name === name)

/** @throws Failure (input) for a format that is no text in lines */
export function textFormat(name: FormatName, source: string): TextFormat {
  const format = formats[name]
  if (format.kind === 'text') return format
  throw inputFailure(source, `${name} is not read line by line`, 'Name one file of this format only.')
}

/** null for text in lines */
export function wholeFormat(name: FormatName): WholeFormat | null {
  const format = formats[name]
  return format.kind === 'whole' ? format : null
}

/** Several files can be one graph. */
export const linesAreEdges = (name: FormatName): boolean => formats[name].kind === 'text' && hasRows(formats[name])

/** Whether each edge of what a report calls a format stands in the lists of both its ends, which are recognised by what they look like. */
export function listsBothDirections(name: string): boolean {
  const format = reportedFormat(name)
  return format?.kind === 'text' && format.listsBothDirections === true
}
