import type { SmallGraph } from './graphs.ts'
import type { WeighedEdge } from './matching.ts'

/** Pairs of the matching in which each vertex in turn takes its free neighbour of smallest degree, of several the lowest. */
export function pairsInTurn({ neighbours }: SmallGraph): number {
  const isTaken = neighbours.map(() => false)
  let pairs = 0
  neighbours.forEach((list, v) => {
    if (isTaken[v]) return
    const free = list.filter((u) => !isTaken[u]).sort((a, b) => neighbours[a]!.length - neighbours[b]!.length || a - b)
    if (free.length === 0) return
    isTaken[v] = isTaken[free[0]!] = true
    pairs++
  })
  return pairs
}

/** The degree, but that of two ranks for each doubling from 64 on. */
function rankOf(degree: number): number {
  if (degree < 64) return degree
  const doublings = Math.floor(Math.log2(degree))
  return 52 + 2 * doublings + Number(degree >= 1.5 * 2 ** doublings)
}

/**
 * The most pairs of members with one of two outside neighbours of each, by augmenting paths: those of least rank, of several the nearest to a
 * place that depends on the member.
 */
export function pairsByNames({ neighbours }: SmallGraph, has: (v: number) => boolean): number {
  const rank = neighbours.map((list) => rankOf(list.length))
  const names = neighbours.map((list, v) => {
    const outside = has(v) ? list.filter((u) => !has(u)) : []
    const distance = (u: number): number => (u ^ Math.imul(v, 0x9e3779b1)) >>> 0
    return outside.sort((a, b) => rank[a]! - rank[b]! || distance(a) - distance(b)).slice(0, 2)
  })
  const members = new Map<number, number>()
  const isMatched = (v: number, seen: Set<number>): boolean =>
    names[v]!.some((u) => {
      if (seen.has(u)) return false
      seen.add(u)
      const before = members.get(u)
      if (before !== undefined && !isMatched(before, seen)) return false
      members.set(u, v)
      return true
    })
  return names.filter((_, v) => isMatched(v, new Set())).length
}

/**
 * The dual bound of the verifier, one vertex after the other. Weights must be exact in f32.
 * @param starts what each vertex's matched edge weighs, 0 for none @param most that an edge may weigh; undefined where weights are stored
 */
export function boundInTurn(
  vertices: number,
  edges: readonly WeighedEdge[],
  starts: readonly number[],
  most: number | undefined,
): number {
  const lists = Array.from({ length: vertices }, () => [] as [u: number, weight: number][])
  for (const { u, v, weight } of edges) {
    lists[u]!.push([v, weight])
    lists[v]!.push([u, weight])
  }
  const pass = (starting: readonly number[], mayRise: boolean): number => {
    const prices = [...starting]
    lists.forEach((list, v) => {
      const needed = Math.max(0, ...list.map(([u, weight]) => weight - prices[u]!))
      prices[v] = mayRise ? needed : Math.min(prices[v]!, needed)
    })
    return prices.reduce((sum, price) => sum + price, 0)
  }
  const halves = lists.map((list) => (most ?? Math.max(0, ...list.map(([, weight]) => weight))) / 2)
  return Math.min(pass(halves, false), pass(starts, true))
}

/** What is wrong with a matching at its lowest vertex, if anything. @param edges the greatest first */
export function faultOfMatching(
  mates: readonly number[],
  edges: readonly WeighedEdge[],
  dominant: boolean,
): { readonly law: string; readonly edge: readonly [string, string] } | undefined {
  const names = (u: number, v: number) => [String(u), String(v)] as const
  const keys = new Set(edges.map(({ u, v }) => `${u}-${v}`))
  const isEdge = (u: number, v: number): boolean => keys.has(`${Math.min(u, v)}-${Math.max(u, v)}`)
  const alone = mates.findIndex((mate, v) => mate >= 0 && (!isEdge(v, mate) || mates[mate] !== v))
  if (alone >= 0) return { law: 'valid', edge: names(alone, mates[alone]!) }
  const isBeaten = new Set<number>()
  const broken = edges.flatMap(({ u, v }) => {
    if (mates[u] === v) {
      isBeaten.add(u).add(v)
      return []
    }
    if (mates[u]! < 0 && mates[v]! < 0) return [{ law: 'maximal-matching', u, v }]
    return dominant && !isBeaten.has(u) && !isBeaten.has(v) ? [{ law: 'locally-dominant', u, v }] : []
  })
  const [first] = broken.sort((a, b) => a.u - b.u || a.v - b.v)
  return first && { law: first.law, edge: names(first.u, first.v) }
}
