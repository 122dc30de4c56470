import { WordList } from '../../base/words.ts'
import { hasBit } from './annealing.ts'
import type { Adjacency } from './held-graph.ts'

/**
 * Makes an independent set one that is at least as large as each of two. Where they differ, vertices are joined to their neighbours in the other set:
 * no such component touches another one, nor what the sets have in common, so that each is taken from the set that has more of it (the partition
 * crossover of Whitley, Hains, Howe, GECCO 2009, for independent sets). At a tie the first set keeps its own.
 * @param set a bit a vertex; changed @param other likewise, not changed
 */
export function mergeSets({ starts, targets }: Adjacency, set: Uint32Array, other: Uint32Array): void {
  const differ = set.map((word, i) => word ^ other[i]!)
  const component = new WordList()
  const visit = (v: number): void => {
    differ[v >>> 5]! &= ~(1 << (v & 31))
    component.push(v)
  }
  for (let w = 0; w < differ.length; w++) {
    while (differ[w] !== 0) {
      component.length = 0
      visit((w << 5) | (31 - Math.clz32(differ[w]!)))
      let balance = 0
      for (let at = 0; at < component.length; at++) {
        const v = component.values[at]!
        balance += hasBit(set, v) ? 1 : -1
        for (let i = starts[v]!; i < starts[v + 1]!; i++) if (hasBit(differ, targets[i]!)) visit(targets[i]!)
      }
      if (balance >= 0) continue
      for (const v of component.words) set[v >>> 5]! ^= 1 << (v & 31)
    }
  }
}
