/**
 * Lists of a run that users write: the column of priorities or weights, the vertices to keep and to exclude, as files or as conditions on
 * attributes, and the root of a search. They are read in the user's ids and looked up in the graph, by one pass over each file; what contradicts
 * itself is refused with the line. Other ranks get what rank 0 read. graph/vertex-lists.ts reads the files.
 */

import { type Exchange, broadcast } from '../exchange/exchange.ts'
import { type Labels, openLabels } from '../graph/labels.ts'
import {
  degreeColumn,
  listedVertices,
  readVertexColumn,
  vertexColumn,
  type VertexPlace,
} from '../graph/vertex-lists.ts'
import { type VertexSet, IN, OUT, UNDECIDED, setState, stateOf, stateWords } from '../graph/vertex-set.ts'
import type { PlannedOptions, RunArgs } from '../contract/jobs.ts'
import { Failure, type FailureValue, inputFailure, usageFailure } from '../base/failure.ts'
import { type GaloisGr, openGraph } from '../graph/galois-gr.ts'
import { statSync } from 'node:fs'
import { algorithmEntry } from '../contract/catalogue.ts'
import { attempt, type GraphSize, MOST_EXACT_VERTICES } from './plan-request.ts'
import { quietJob } from '../base/job.ts'

/** The lists of a run, read and looked up in the graph. */
export interface RunLists {
  readonly keep: VertexSet | undefined
  readonly exclude: VertexSet | undefined
  readonly column: Float64Array | undefined
}

export const NO_LISTS: RunLists = { keep: undefined, exclude: undefined, column: undefined }

export const listOptions = ['columnFile', 'columnName', 'keepFile', 'keepWhere', 'excludeFile', 'excludeWhere'] as const
type ListOptions = Pick<RunArgs, (typeof listOptions)[number]>

export const namesLists = (options: ListOptions): boolean => listOptions.some((name) => options[name] !== undefined)

/** @throws Failure (input) for a list that cannot be read, or is of another graph; for a condition that cannot be read */
export async function readLists(
  { keepFile, keepWhere, excludeFile, excludeWhere, columnFile, columnName }: ListOptions,
  place: VertexPlace & { readonly labels: Labels },
): Promise<RunLists> {
  const { labels, vertices } = place
  const column =
    columnFile !== undefined
      ? readVertexColumn(columnFile, labels, vertices)
      : columnName !== undefined
        ? await vertexColumn(place, columnName)
        : undefined
  return {
    keep: await listedVertices(place, keepFile, keepWhere),
    exclude: await listedVertices(place, excludeFile, excludeWhere),
    column,
  }
}

/** What vertices weigh, if they do. @throws Failure (input) for less than 0, and for a sum that is no number */
export function vertexWeights(
  { weights }: Pick<PlannedOptions, 'weights'>,
  { column }: RunLists,
  labels: () => Labels,
): Float64Array | undefined {
  if (weights !== 'column' || column === undefined) return undefined
  const v = column.findIndex((weight) => weight < 0)
  if (v >= 0) {
    const what = `vertex ${labels().of(v)} weighs ${column[v]!}, which is less than 0`
    throw inputFailure(undefined, what, 'Give weights of 0 or more.')
  }
  if (Number.isFinite(column.reduce((sum, weight) => sum + weight, 0))) return column
  throw inputFailure(undefined, 'all vertices together weigh more than 1.8e308', 'Divide the weights by a number.')
}

/**
 * States to start from, two bits a vertex: kept vertices are in and their neighbours out, excluded vertices are out.
 * @throws Failure (input) when two kept vertices are adjacent, or one is both kept and excluded.
 */
export function initialStates(
  graph: GaloisGr,
  labels: Labels,
  keep: VertexSet | undefined,
  exclude: VertexSet | undefined,
): Uint32Array {
  const states = new Uint32Array(stateWords(graph.vertices))
  for (const v of exclude?.members() ?? []) setState(states, v, OUT)
  for (const v of keep?.members() ?? []) {
    if (exclude?.has(v))
      throw inputFailure(
        undefined,
        `vertex ${labels.of(v)} is both kept and excluded`,
        'Take it out of one of the two lists.',
      )
    setState(states, v, IN)
  }
  for (const v of keep?.members() ?? []) {
    const { first, end } = graph.arcsOf(v)
    for (const u of graph.readTargets(first, end)) {
      if (keep?.has(u))
        throw inputFailure(
          undefined,
          `vertices ${labels.of(v)} and ${labels.of(u)} are both kept, but they are neighbours`,
          'Keep only one of them.',
        )
      if (stateOf(states, u) === UNDECIDED) setState(states, u, OUT)
    }
  }
  return states
}

/** Longer ones are looked at when the run starts: a plan is asked for whenever a form changes. */
const MOST_LIST_BYTES = 32 << 20

/** Reads the lists of a set as its run does. @returns what is wrong with them; null where nothing is */
export async function listsRefusal(
  options: PlannedOptions,
  { dataset, vertices }: GraphSize,
): Promise<FailureValue | null> {
  const takesLists = algorithmEntry(options.algorithm)?.options.some(({ name }) => name === 'columnFile')
  if (dataset === undefined || takesLists !== true || !namesLists(options)) return null
  const { keepFile, excludeFile, columnFile } = options
  const bytes = [keepFile, excludeFile, columnFile].reduce((sum, file) => sum + sizeOf(file), 0)
  if (bytes > MOST_LIST_BYTES) return null
  const graph = openGraph(dataset.folder, dataset.checksum, quietJob)
  try {
    const labels = openLabels(dataset.folder, vertices)
    const columns = { degree: degreeColumn(graph) }
    const lists = await readLists(options, { folder: dataset.folder, vertices, labels, columns })
    if (lists.keep !== undefined) initialStates(graph, labels, lists.keep, lists.exclude)
    vertexWeights(options, lists, () => labels)
    return null
  } catch (error) {
    if (error instanceof Failure) return error.toValue()
    throw error
  } finally {
    graph.close()
  }
}

/** @throws Failure (usage) where no vertex is called so */
export function rootNamed(labels: Labels, label: string): number {
  const v = labels.find(label)
  if (v >= 0) return v
  throw usageFailure(undefined, `no vertex is called "${label}"`, 'Name a root by its id in your file.')
}

/** The refusal of a root as the run of a search refuses it; of a huge graph only when the run starts. */
export function rootRefusal({ root }: PlannedOptions, { dataset, vertices }: GraphSize): FailureValue | null {
  if (root === undefined || dataset === undefined || vertices > MOST_EXACT_VERTICES) return null
  return attempt(() => rootNamed(openLabels(dataset.folder, vertices), root)).refusal
}

/** 0 for what is not there: reading it says so. */
function sizeOf(file: string | undefined): number {
  return file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0)
}

/** The column that rank 0 read. */
export async function columnOfRanks(exchange: Exchange | undefined, column: Float64Array | undefined) {
  if (exchange === undefined) return column
  const words = await broadcast(
    exchange,
    column && new Uint32Array(column.buffer, column.byteOffset, 2 * column.length),
  )
  return new Float64Array(words.slice().buffer)
}

/** The states that rank 0 read; undefined: every vertex is undecided. */
export async function statesOfRanks(exchange: Exchange | undefined, states: Uint32Array | undefined) {
  if (exchange === undefined) return states
  const words = await broadcast(exchange, states)
  return words.length === 0 ? undefined : words.slice()
}
