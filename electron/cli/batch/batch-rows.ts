/**
 * Rows of `anticlique batch`: what a line of JSON asks, as an item of the engine, and the line that answers it. Options have the names of the
 * command line's (`"priority"`, `"time"`, `"keep"`), and what a row does not say the command's own options do. A row that asks nothing that can
 * be done is answered with its failure, and the next ones follow. batch-flow.ts takes rows to the engine.
 */

import { resolve } from 'node:path'
import { Failure, type FailureValue, inputFailure, usageFailure } from '../../../workers/base/failure.ts'
import { algorithmEntries, algorithmEntry, type OptionEntry } from '../../../workers/contract/catalogue.ts'
import type { BatchAnswer, BatchGraph, BatchItem } from '../../../workers/contract/jobs.ts'
import { runRequestSchema } from '../../contract/run.ts'
import type { Library } from '../../library/library.ts'
import { secondsArgument, sizeArgument } from '../argument.ts'
import { inCommands } from '../failure-text.ts'
import { keyOf, valuesOf } from '../run-request.ts'
import { decodeGraph6 } from './graph6.ts'

/** A line of the input with its place. */
export interface Row {
  /** From 0. */
  readonly index: number
  readonly text: string
}

type Fields = Readonly<Record<string, unknown>>

/** What a row is about, beside its options. */
const ofGraph = 'id n edges weights graph6 file dataset import'.split(' ')

export interface RowReader {
  readonly library: Library
  /** The options of the command, `algorithm` and `devices` among them. */
  readonly usual: Fields
}

export interface AskedRow {
  readonly id: unknown
  readonly item: BatchItem
}

/** The `id` of a row that may be unreadable otherwise. */
export function idOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly id?: unknown } | null)?.id
  } catch {
    return undefined
  }
}

/** @throws Failure (input, usage) for a row that asks nothing that can be done */
export function readRow({ index, text }: Row, reader: RowReader): AskedRow {
  const where = `row ${index + 1}`
  const row = parsed(text, where)
  try {
    const { options, lists } = optionsOf(row, reader)
    return {
      id: row['id'],
      item: {
        graph: graphOf(row, reader.library),
        options,
        lists: Object.keys(lists).length === 0 ? undefined : lists,
      },
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const value = error.toValue()
    throw new Failure({ ...value, where: value.where === undefined ? where : `${where}, ${value.where}` })
  }
}

function parsed(text: string, where: string): Fields {
  let row: unknown
  try {
    row = JSON.parse(text)
  } catch {
    row = undefined
  }
  if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row as Fields
  throw inputFailure(where, 'this is no object of JSON', 'Write one a line: {"n": 3, "edges": [[0, 1], [1, 2]]}')
}

/** Checked once for all rows that ask alike. */
const requests = new Map<string, BatchItem['options']>()
const MOST_REQUESTS = 1000

function optionsOf(row: Fields, { usual }: RowReader) {
  const given: Record<string, unknown> = { ...usual }
  const lists: Record<string, string> = {}
  for (const [name, value] of Object.entries(row)) {
    // What edges weigh may be a list, or the choice of that name.
    if (ofGraph.some((known) => known === name) && !(name === 'weights' && typeof value === 'string')) continue
    const key = name.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const option = flags.get(key)
    if (option === undefined && !['algorithm', 'devices', 'verify'].includes(key))
      throw usageFailure(
        name,
        'there is no such option',
        'Rows have those of "anticlique run", without the hyphens in front.',
      )
    if (option?.kind === 'file' && Array.isArray(value)) {
      lists[option.name] = listText(value, key === 'column')
      given[key] = option.flag
    } else given[key] = typeof value === 'string' && option !== undefined ? ofText(value, option) : value
  }
  const key = JSON.stringify(given)
  const known = requests.get(key) ?? checked(given)
  if (requests.size < MOST_REQUESTS) requests.set(key, known)
  return { options: known, lists }
}

/** Options of all algorithms by the names that commander gives them. */
const flags: ReadonlyMap<string, OptionEntry> = new Map(
  algorithmEntries.flatMap(({ options }) => options.map((option) => [keyOf(option.flag), option] as const)),
)

function ofText(value: string, { kind, flag }: OptionEntry): unknown {
  try {
    if (kind === 'bytes') return sizeArgument(value)
    if (kind === 'seconds') return secondsArgument(value)
    return kind === 'file' ? resolve(value) : value
  } catch (error) {
    throw usageFailure(flag, `${JSON.stringify(value)} does not fit`, error instanceof Error ? error.message : '')
  }
}

function checked(given: Fields): BatchItem['options'] {
  const algorithm = algorithmEntry(String(given['algorithm']))?.name
  if (algorithm === undefined)
    throw usageFailure(
      'algorithm',
      `there is no algorithm ${JSON.stringify(given['algorithm'])}`,
      'See "anticlique run --help".',
    )
  const asked = { ...valuesOf(algorithm, given), algorithm, device: given['devices'], dataset: '' }
  const { data, error } = runRequestSchema.safeParse(asked)
  const issue = error?.issues[0]
  if (data === undefined)
    throw usageFailure(issue?.path.join('.'), issue?.message ?? 'it does not fit', 'See "anticlique run --help".')
  const { dataset: _, ...options } = data
  return options as unknown as BatchItem['options']
}

/** Vertices one a line; numbers with the vertex in front, where each is the vertex's own. */
const listText = (values: readonly unknown[], hasValues: boolean): string =>
  values.map((one, v) => (hasValues ? `${v},${String(one)}\n` : `${String(one)}\n`)).join('')

function graphOf(row: Fields, library: Library): BatchGraph {
  const { edges, weights, graph6, file, dataset } = row
  const given = [edges, graph6, file, dataset].filter((one) => one !== undefined).length
  if (given > 1) throw usageFailure(undefined, 'several graphs are given', 'Give edges, graph6, file or dataset.')
  if (typeof dataset === 'string') return { kind: 'dataset', ...library.place(library.datasets.get(dataset)) }
  if (typeof file === 'string')
    return { kind: 'file', source: resolve(file), options: row['import'] as object | undefined }
  if (typeof graph6 === 'string') return { kind: 'edges', ...decodeGraph6(graph6) }
  const vertices = row['n']
  if (!Array.isArray(edges) || !Number.isInteger(vertices) || Number(vertices) < 0 || Number(vertices) > 0xfffffffe)
    throw usageFailure(undefined, 'the graph is missing', 'Give "n" and "edges", or "graph6", "file" or "dataset".')
  const ends = endsOf(edges)
  const given64 =
    weights === undefined || weights === null || typeof weights === 'string' ? undefined : numbersOf(weights)
  return { kind: 'edges', vertices: Number(vertices), ends, weights: given64 }
}

/** The ends of pairs, or of one list of ends. */
function endsOf(edges: readonly unknown[]): Uint32Array {
  const isFlat = typeof edges[0] === 'number'
  const ends = new Uint32Array(isFlat ? edges.length : 2 * edges.length)
  const put = (at: number, end: unknown): void => {
    if (typeof end !== 'number' || !Number.isInteger(end) || end < 0 || end >= 0xffffffff)
      throw inputFailure('edges', `${JSON.stringify(end)} is no vertex`, 'Vertices are whole numbers from 0.')
    ends[at] = end
  }
  for (const [at, edge] of edges.entries()) {
    if (isFlat) put(at, edge)
    else if (!Array.isArray(edge) || edge.length !== 2)
      throw inputFailure('edges', `${JSON.stringify(edge)} is no edge`, 'Write pairs: [[0, 1], [1, 2]].')
    else {
      put(2 * at, edge[0])
      put(2 * at + 1, edge[1])
    }
  }
  if (ends.length % 2 === 0) return ends
  throw inputFailure('edges', 'an end is missing', 'Ends come in pairs.')
}

function numbersOf(values: unknown): Float64Array {
  if (Array.isArray(values) && values.every((value) => typeof value === 'number')) return Float64Array.from(values)
  throw inputFailure('weights', 'they are no list of numbers', 'Give one for each edge.')
}

/** The names of results in answers. */
const kinds = { 'independent-set': 'members', matching: 'pairs', 'b-matching': 'pairs', values: 'values' } as const

/** The line that answers a row. */
export function answerLine(index: number, id: unknown, answer: BatchAnswer): string {
  const head = id === undefined ? { index } : { id, index }
  if ('failure' in answer) return JSON.stringify({ ...head, error: inCommands(answer.failure) })
  const { vertices, edges, outcome, members } = answer
  const { algorithm, options, result, rounds, time, verification, counters } = outcome
  const checks =
    verification === null
      ? { verified: null, upperBound: null }
      : { verified: verification.verified, upperBound: verification.upperBound }
  const document = {
    ...head,
    algorithm,
    dataset: { vertices, edges },
    options,
    result,
    rounds,
    time,
    ...checks,
    counters,
  }
  return JSON.stringify({ ...document, [kinds[result.kind]]: members })
}

export const errorLine = (index: number, id: unknown, failure: FailureValue): string =>
  answerLine(index, id, { failure })
