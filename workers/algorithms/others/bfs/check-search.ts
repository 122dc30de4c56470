import type { JobContext } from '../../../base/job.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { eachList } from '../../../graph/scan-lists.ts'
import { type Checked, type Witness, witnessAt } from '../../../verify/witness.ts'

/** @param root that was asked for; undefined: any */
export function checkLevels(graph: GaloisGr, levels: Uint32Array, root: number | undefined, job: JobContext): Checked {
  let [reached, depth, witness] = [0, 0, rootWitness(levels, root)]
  for (const level of levels) {
    if (level === NONE) continue
    reached++
    depth = Math.max(depth, level)
  }
  eachList(graph, job, 'verify', (v, start, end, targets) => {
    witness ??= levelWitness(v, start, end, targets, levels)
  })
  return { witness, figures: { reached, depth } }
}

/**
 * The rules of Graph500 (specification 2.0, validation): parents make a tree, of edges of the graph, whose ends are one level apart; it spans the
 * component of the root; the ends of every edge are at most one level apart, or both outside.
 */
export function checkParents(
  graph: GaloisGr,
  parents: Uint32Array,
  root: number | undefined,
  job: JobContext,
): Checked {
  const found = levelsOf(parents)
  if ('witness' in found) return { witness: found.witness, figures: {} }
  const { levels } = found
  const byLevels = checkLevels(graph, levels, root, job)
  let { witness } = byLevels
  eachList(graph, job, 'verify', (v, start, end, targets) => {
    const parent = parents[v]!
    if (witness !== undefined || parent === NONE || parent === v) return
    const list = targets.subarray(start, end)
    const nearer = list.find((u) => levels[u] === levels[v]! - 1)
    if (!list.includes(parent)) witness = witnessAt([v, parent], (a, b) => `no edge joins ${a} with its parent ${b}`)
    else if (nearer !== parent) witness = witnessAt([v, nearer!], (a, b) => `the least parent of ${a} is ${b}`)
  })
  return { ...byLevels, witness }
}

function rootWitness(levels: Uint32Array, root: number | undefined): Witness | undefined {
  const first = levels.indexOf(0)
  const second = levels.indexOf(0, first + 1)
  if (first < 0) return levels.length === 0 ? undefined : witnessAt([], () => 'no vertex is the root: none has level 0')
  if (second > first)
    return witnessAt([first, second], (a, b) => `${a} and ${b} are both at level 0, where the root is alone`)
  if (root === undefined || first === root) return undefined
  return witnessAt([first, root], (a, b) => `the root is ${a}, and ${b} was asked for`)
}

function levelWitness(
  v: number,
  start: number,
  end: number,
  targets: Uint32Array,
  levels: Uint32Array,
): Witness | undefined {
  const level = levels[v]!
  let hasNearer = level === 0 || level === NONE
  for (let at = start; at < end; at++) {
    const u = targets[at]!
    const other = levels[u]!
    if ((level === NONE) !== (other === NONE))
      return witnessAt([v, u], (a, b) => `of the neighbours ${a} and ${b} only one is reached`)
    const apart = Math.abs(level - other)
    if (apart > 1) return witnessAt([v, u], (a, b) => `the neighbours ${a} and ${b} are ${apart} levels apart`)
    if (other === level - 1) hasNearer = true
  }
  if (hasNearer) return undefined
  return witnessAt([v], (a) => `${a} is at level ${level}, and no neighbour is at level ${level - 1}`)
}

/** Finds levels by following parents to the root, each vertex once. */
function levelsOf(parents: Uint32Array): { readonly levels: Uint32Array } | { readonly witness: Witness } {
  const levels = new Uint32Array(parents.length).fill(NONE)
  const PENDING = NONE - 1
  for (let start = 0; start < parents.length; start++) {
    const path: number[] = []
    let v = start
    while (levels[v] === NONE && parents[v] !== NONE) {
      levels[v] = PENDING
      path.push(v)
      if (parents[v] === v) break
      if (parents[v]! >= parents.length) return { witness: witnessAt([v], (a) => `the parent of ${a} is no vertex`) }
      v = parents[v]!
    }
    if (path.length === 0) continue
    const isRoot = parents[v] === v && path.at(-1) === v
    if (!isRoot && levels[v]! >= PENDING)
      return { witness: witnessAt([start], (a) => `the parents of ${a} do not lead to the root`) }
    let level = isRoot ? 0 : levels[v]! + 1
    for (const u of path.reverse()) levels[u] = level++
  }
  return { levels }
}

const NONE = 0xffffffff
