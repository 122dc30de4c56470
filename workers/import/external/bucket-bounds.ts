/** Ranges of vertices: bucket b holds those from bounds[b] to bounds[b + 1] - 1. */
export type BucketBounds = Float64Array

/**
 * Cuts the vertices into at most `buckets` ranges with about as many arcs each, as a sample of the ends of entries says. A vertex
 * of very many arcs gets a bucket of its own.
 */
export function bucketBounds(sample: Uint32Array, vertices: number, buckets: number): BucketBounds {
  const sorted = sample.slice().sort()
  const cuts = new Set<number>([0])
  for (let b = 1; b < buckets && sorted.length > 0; b++) {
    const vertex = sorted[Math.floor((b * sorted.length) / buckets)]!
    // Where one vertex fills several buckets, it starts one and the next vertex another.
    if (cuts.has(vertex)) cuts.add(Math.min(vertices, vertex + 1))
    else cuts.add(vertex)
  }
  // Few entries over many vertices: ranges must not grow past what a local id has room for.
  const widest = Math.max(1, Math.min(2 ** 30, Math.ceil(vertices / Math.max(1, buckets)) * 64))
  for (let v = widest; v < vertices; v += widest) cuts.add(v)
  cuts.delete(vertices)
  return Float64Array.from([...cuts].sort((a, b) => a - b).concat(vertices))
}

/** Finds the bucket of a vertex in one or two steps. */
export class BucketFinder {
  readonly #bounds: BucketBounds
  readonly #shift: number
  /** For each block of 2^shift vertices, the bucket of its first. */
  readonly #blocks: Uint32Array

  constructor(bounds: BucketBounds) {
    this.#bounds = bounds
    const vertices = bounds[bounds.length - 1]!
    let shift = 0
    while (vertices / 2 ** shift > 1 << 16) shift++
    this.#shift = shift
    this.#blocks = new Uint32Array(Math.ceil(vertices / 2 ** shift) + 1)
    for (let block = 0, b = 0; block < this.#blocks.length; block++) {
      while (b + 2 < bounds.length && bounds[b + 1]! <= block * 2 ** shift) b++
      this.#blocks[block] = b
    }
  }

  find(vertex: number): number {
    const bounds = this.#bounds
    let b = this.#blocks[vertex >>> this.#shift]!
    while (bounds[b + 1]! <= vertex) b++
    return b
  }
}
