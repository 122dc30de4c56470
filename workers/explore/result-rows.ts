import { throwIfCancelled } from '../base/job.ts'
import type { JobContext } from '../base/job.ts'
import type { FoundVertex, ResultRows, ResultRowsArgs } from '../contract/jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { algorithmEntry } from '../contract/catalogue.ts'
import { NO_MATE } from '../graph/matching.ts'
import { openGraph } from '../graph/open-graph.ts'
import { valueWords } from '../graph/vertex-values.ts'
import { EdgeWeigher } from '../graph/weighed-lists.ts'
import { Adjacency } from './adjacency.ts'
import { decidedIn } from './decided.ts'
import type { Decided } from './decided.ts'
import { openVertexLabels, openVertexNames } from './vertex-search.ts'

const MOST_FOUND = 1000
/** Offsets read at a time: 8 MiB. */
const STEP = 1 << 20
/** The next part may be asked for. */
const KEPT_MS = 30_000

interface Kept {
  readonly key: string
  readonly decided: Decided
  /** Of any vertex, where the result has pairs of either end. */
  readonly isShown: (v: number) => boolean
  readonly ids: Uint32Array
}

/** Scrolling asks for many parts of it. */
let kept: Kept | undefined
let forgetting: NodeJS.Timeout | undefined

/** @throws Failure (input) when the dataset or the result is damaged; (cancelled) */
export function resultRows(args: ResultRowsArgs, job: JobContext): ResultRows {
  const graph = openGraph(args.folder, args.checksum, job)
  const labels = openVertexLabels(args.folder, graph.vertices)
  const names = openVertexNames(args.folder, graph.vertices)
  try {
    const { decided, isShown, ids } = tableOf(args, graph, job)
    const found = args.text === '' ? null : new Set<number>()
    if (found !== null) {
      const itself = labels.find(args.text)
      const vertices = [
        ...(itself < 0 ? [] : [itself]),
        ...(names?.beginningWith(args.text, MOST_FOUND) ?? []),
        ...labels.beginningWith(args.text, MOST_FOUND),
      ]
      for (const v of vertices) if (isShown(v)) found.add(rowOf(v, decided))
    }
    const table = found === null ? ids : Uint32Array.from(found)
    const adjacency = new Adjacency(graph)
    const describe = (id: number): FoundVertex => ({
      id,
      label: labels.of(id),
      name: names?.of(id) ?? null,
      degree: adjacency.degree(id),
    })
    const mateOf = (v: number): ResultRows['rows'][number]['mate'] => {
      const mate = decided.mates?.[v] ?? NO_MATE
      return mate === NO_MATE ? null : { ...describe(mate), weight: weightOf(v, mate, args, adjacency) }
    }
    const entry = algorithmEntry(args.result.algorithm)?.values
    const words = entry && valueWords(entry, (v) => labels.of(v))
    const rows = Array.from(table.subarray(args.offset, args.offset + args.limit), (v) => ({
      ...describe(v),
      mate: mateOf(v),
      value: decided.values === null ? null : (words?.(decided.values[v]!) ?? null),
    }))
    return { total: table.length, truncated: found !== null && found.size >= MOST_FOUND, rows }
  } finally {
    graph.close()
    labels.close()
    names?.close()
  }
}

/** Of a pair its smaller end. */
function rowOf(v: number, { mates }: Decided): number {
  return mates === null ? v : Math.min(v, mates[v]!)
}

function tableOf(args: ResultRowsArgs, graph: GaloisGr, job: JobContext): Kept {
  clearTimeout(forgetting)
  forgetting = setTimeout(() => (kept = undefined), KEPT_MS).unref()
  const key = JSON.stringify([args.result, args.against, args.show, args.sort, args.down])
  if (kept?.key === key) return kept
  kept = undefined
  const decided = decidedIn(args.result, graph.vertices)
  const isShown = shownOf(args, decided, graph.vertices)
  let count = 0
  const ids = new Uint32Array(graph.vertices)
  for (let v = 0; v < graph.vertices; v++) if (isShown(v) && !(v > (decided.mates?.[v] ?? NO_MATE))) ids[count++] = v
  const rows = ids.slice(0, count)
  kept = { key, decided, isShown, ids: sorted(rows, decided, args, graph, job) }
  return kept
}

function shownOf({ show, against }: ResultRowsArgs, decided: Decided, vertices: number): Kept['isShown'] {
  if (show === 'in') return decided.isIn
  if (show === 'out' || against === undefined) return (v) => !decided.isIn(v)
  const { isIn, mates, values } = decidedIn(against, vertices)
  const [own, other] = decided.mates === null ? [decided.values, values] : [decided.mates, mates]
  const isSame = own === null || other === null ? isIn : (v: number): boolean => isIn(v) && own[v] === other[v]
  return (v) => decided.isIn(v) && isSame(v) === (show === 'both')
}

function sorted(
  rows: Uint32Array,
  { values }: Decided,
  { sort, down }: ResultRowsArgs,
  graph: GaloisGr,
  job: JobContext,
): Uint32Array {
  if (sort === 'degree') return byDegree(rows, graph, down, job)
  if (sort === 'value' && values !== null)
    return rows.sort((a, b) => (down ? values[b]! - values[a]! : values[a]! - values[b]!) || a - b)
  return down ? rows.reverse() : rows
}

/** Stable. */
function byDegree(rows: Uint32Array, graph: GaloisGr, down: boolean, job: JobContext): Uint32Array {
  const degrees = new Uint32Array(rows.length)
  let row = 0
  let most = 0
  for (let first = 0; first < graph.vertices; first += STEP) {
    throwIfCancelled(job.signal)
    const last = Math.min(graph.vertices, first + STEP)
    const offsets = graph.readOffsets(first, last)
    for (; row < rows.length && rows[row]! < last; row++) {
      const at = rows[row]! - first
      degrees[row] = offsets[at + 1]! - offsets[at]!
      most = Math.max(most, degrees[row]!)
    }
  }
  const rank = (degree: number): number => (down ? most - degree : degree)
  const starts = new Uint32Array(most + 2)
  for (const degree of degrees) starts[rank(degree) + 1]!++
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  const sorted = new Uint32Array(rows.length)
  for (const [i, degree] of degrees.entries()) sorted[starts[rank(degree)]!++] = rows[i]!
  return sorted
}

/** null without weights. */
function weightOf(v: number, mate: number, { order }: ResultRowsArgs, adjacency: Adjacency): number | null {
  if (order === undefined) return null
  const weigher = new EdgeWeigher({ ...order, threshold: undefined })
  if (weigher.areStored) {
    const [[, arc] = []] = adjacency.arcsTo(v, new Set([mate]))
    return arc === undefined ? null : adjacency.weight(arc)
  }
  const weights = new Float32Array(1)
  weigher.weigh(v, Uint32Array.of(mate), 1, weights)
  return order.weights === 'random3' ? Math.round(weights[0]!) / 1000 : weights[0]!
}
