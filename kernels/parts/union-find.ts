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

export function link(parents: Uint32Array, u: number, v: number): void {
  const a = rootOf(parents, u)
  const b = rootOf(parents, v)
  if (a < b) parents[b] = a
  else parents[a] = b
}
