/**
 * The size of a maximum independent set, by branching and reducing: vertices of degree 0 and 1, domination, folding of
 * degree 2, components apart, then a branch on a vertex of largest degree. Returns null when it takes more than `budget`
 * branches. For tests: small, and written apart from the product.
 */
export function exactIndependence(neighbours: readonly (readonly number[])[], budget = 20_000): number | null {
  const solver = new Solver(budget)
  const graph: Adjacency = new Map(neighbours.map((list, v) => [v, new Set(list)]))
  try {
    return solver.solve(graph)
  } catch (error) {
    if (error instanceof BudgetSpent) return null
    throw error
  }
}

type Adjacency = Map<number, Set<number>>

class BudgetSpent extends Error {}

class Solver {
  #budget: number
  #nextId = 1 << 30

  constructor(budget: number) {
    this.#budget = budget
  }

  solve(graph: Adjacency): number {
    let size = this.#reduce(graph)
    for (const part of components(graph)) size += this.#branch(part)
    return size
  }

  /** Vertices of a connected graph that no rule reduces. */
  #branch(graph: Adjacency): number {
    if (this.#budget-- <= 0) throw new BudgetSpent()
    let pivot = -1
    let most = -1
    for (const [v, list] of graph) if (list.size > most) [pivot, most] = [v, list.size]
    const without = copy(graph)
    remove(without, pivot)
    const within = copy(graph)
    for (const u of [...within.get(pivot)!, pivot]) remove(within, u)
    return Math.max(this.solve(without), 1 + this.solve(within))
  }

  /** Reduces in place; returns how many vertices of a maximum set are settled by it. */
  #reduce(graph: Adjacency): number {
    let size = 0
    const queue = new Set(graph.keys())
    for (const v of queue) {
      queue.delete(v)
      const list = graph.get(v)
      if (list === undefined) continue
      if (list.size <= 1 || isClique(graph, list)) {
        size++
        for (const u of [...list, v]) {
          for (const touched of graph.get(u) ?? []) queue.add(touched)
          remove(graph, u)
        }
      } else if (list.size === 2) {
        size++
        queue.add(this.#fold(graph, v, [...list] as [number, number], queue))
      } else {
        const dominating = [...list].find((u) => isSubset(graph, v, u))
        if (dominating === undefined) continue
        for (const touched of graph.get(dominating)!) queue.add(touched)
        remove(graph, dominating)
      }
    }
    return size
  }

  /** v of degree 2 with neighbours a and b that are not adjacent: one new vertex stands for the three. */
  #fold(graph: Adjacency, v: number, [a, b]: [number, number], queue: Set<number>): number {
    const joint = new Set([...graph.get(a)!, ...graph.get(b)!])
    joint.delete(v)
    for (const u of [a, b, v]) remove(graph, u)
    const id = this.#nextId++
    graph.set(id, joint)
    for (const u of joint) {
      graph.get(u)!.add(id)
      queue.add(u)
    }
    return id
  }
}

/** Whether every neighbour of v but u, and u itself, is u's: then some maximum set is without u. */
function isSubset(graph: Adjacency, v: number, u: number): boolean {
  const other = graph.get(u)!
  for (const w of graph.get(v)!) if (w !== u && !other.has(w)) return false
  return true
}

function isClique(graph: Adjacency, list: ReadonlySet<number>): boolean {
  if (list.size > 8) return false
  for (const u of list) for (const w of list) if (u < w && !graph.get(u)!.has(w)) return false
  return true
}

function remove(graph: Adjacency, v: number): void {
  for (const u of graph.get(v) ?? []) graph.get(u)!.delete(v)
  graph.delete(v)
}

const copy = (graph: Adjacency): Adjacency => new Map([...graph].map(([v, list]) => [v, new Set(list)]))

function components(graph: Adjacency): Adjacency[] {
  const seen = new Set<number>()
  const parts: Adjacency[] = []
  for (const start of graph.keys()) {
    if (seen.has(start)) continue
    seen.add(start)
    const part: Adjacency = new Map()
    const stack = [start]
    for (let v = stack.pop(); v !== undefined; v = stack.pop()) {
      const list = graph.get(v)!
      part.set(v, list)
      for (const u of list) {
        if (seen.has(u)) continue
        seen.add(u)
        stack.push(u)
      }
    }
    parts.push(part)
  }
  return parts
}
