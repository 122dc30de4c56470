import type { WeighedEdge } from './matching.ts'

/**
 * An upper bound on the weight of any matching, close to the optimum: half of the dual of the assignment in which every vertex bids for
 * its neighbours (Bertsekas 1979). Whatever the prices are, nobody can do better: an edge pays at most the price of its one end and
 * the profit of the other.
 * @param step by which prices rise; the smaller the closer
 */
export function matchingBound(vertices: number, edges: readonly WeighedEdge[], step: number): number {
  const lists = Array.from({ length: vertices }, () => [] as [other: number, weight: number][])
  for (const { u, v, weight } of edges) {
    lists[u]!.push([v, weight])
    lists[v]!.push([u, weight])
  }
  const prices = new Float64Array(vertices)
  const owners = new Int32Array(vertices).fill(-1)
  const waiting = [...lists.keys()]
  for (let bidder = waiting.pop(); bidder !== undefined; bidder = waiting.pop()) {
    let [best, profit, second] = [-1, 0, 0]
    for (const [other, weight] of lists[bidder]!) {
      const value = weight - prices[other]!
      if (value > profit) [best, profit, second] = [other, value, profit]
      else if (value > second) second = value
    }
    if (best < 0) continue
    prices[best]! += profit - second + step
    if (owners[best]! >= 0) waiting.push(owners[best]!)
    owners[best] = bidder
  }
  let sum = 0
  for (let v = 0; v < vertices; v++) {
    let profit = 0
    for (const [other, weight] of lists[v]!) profit = Math.max(profit, weight - prices[other]!)
    sum += prices[v]! + profit
  }
  return sum / 2
}
