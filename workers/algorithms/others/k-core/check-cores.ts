import type { JobContext } from '../../../base/job.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { eachList } from '../../../graph/scan-lists.ts'
import { type Checked, type Witness, witnessAt } from '../../../verify/witness.ts'

/** Words of lists that are held to finish. */
const MOST_HELD = 1 << 27

/**
 * Core numbers by two laws. Not too high: v has cores[v] neighbours with as high a number or a higher one. Not too low: vertices with the same
 * number leave one after another, each with at most that many neighbours that are left or have a higher number.
 */
export function checkCores(graph: GaloisGr, cores: Uint32Array, job: JobContext): Checked {
  let [degeneracy, inmost] = [0, 0]
  for (const core of cores) degeneracy = Math.max(degeneracy, core)
  for (const core of cores) if (core === degeneracy) inmost++
  const figures = { degeneracy, inmost }
  /** Neighbours of a vertex that have not left, of those with its number or a higher one. */
  const left = new Uint32Array(graph.vertices)
  let high: Witness | undefined
  eachList(graph, job, 'verify', (v, start, end, targets) => {
    for (let at = start; at < end; at++) if (cores[targets[at]!]! >= cores[v]!) left[v]!++
    if (left[v]! < cores[v]!)
      high ??= witnessAt(
        [v],
        (a) => `${a} has ${left[v]} neighbours with core number ${cores[v]} or more, fewer than that`,
      )
  })
  if (high !== undefined) return { witness: high, figures }
  const v = peel(graph, cores, left, job).indexOf(0)
  if (v < 0) return { witness: undefined, figures }
  const words = (a?: string): string =>
    `the core number of ${a} is above ${cores[v]}: it never has so few neighbours left`
  return { witness: witnessAt([v], words), figures }
}

/** @returns 1 for what left, 0 for what stays */
function peel(graph: GaloisGr, cores: Uint32Array, left: Uint32Array, job: JobContext): Uint8Array {
  const gone = new Uint8Array(graph.vertices)
  for (let before = -1, count = 0; count !== before;) {
    before = count
    // Lists of what stays, within its own shell, once they are few.
    let lists: Map<number, number[]> | undefined = new Map()
    let held = 0
    eachList(graph, job, 'verify', (v, start, end, targets) => {
      if (gone[v] === 1) return
      const shell: number[] = []
      for (let at = start; at < end; at++) {
        const u = targets[at]!
        if (cores[u] === cores[v] && gone[u] === 0) shell.push(u)
      }
      if (left[v]! > cores[v]!) {
        held += 1 + shell.length
        if (held > MOST_HELD / 8) lists = undefined
        lists?.set(v, shell)
        return
      }
      gone[v] = 1
      count++
      for (const u of shell) left[u]!--
    })
    if (lists === undefined) continue
    finish(lists, cores, left, gone)
    return gone
  }
  return gone
}

function finish(
  lists: ReadonlyMap<number, readonly number[]>,
  cores: Uint32Array,
  left: Uint32Array,
  gone: Uint8Array,
): void {
  const queue = [...lists.keys()].filter((v) => left[v]! <= cores[v]!)
  const isQueued = new Set(queue)
  for (let v = queue.pop(); v !== undefined; v = queue.pop()) {
    gone[v] = 1
    for (const u of lists.get(v)!) {
      if (gone[u] === 1) continue
      left[u]!--
      if (left[u]! > cores[u]! || isQueued.has(u)) continue
      isQueued.add(u)
      queue.push(u)
    }
  }
}
