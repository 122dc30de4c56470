export { default as forestPart } from './union-find.wgsl?raw'

export function rootOf(parents: Uint32Array, v: number): number {
  let at = v
  for (let up = parents[at]!; up !== at; up = parents[at]!) {
    const over = parents[up]!
    parents[at] = over
    at = over
  }
  return at
}

/** Threads may link at once. */
export function link(parents: Uint32Array, u: number, v: number): void {
  for (let a = rootOf(parents, u), b = rootOf(parents, v); a !== b; a = rootOf(parents, a), b = rootOf(parents, b)) {
    const high = Math.max(a, b)
    if (Atomics.compareExchange(parents, high, high, Math.min(a, b)) === high) return
  }
}
