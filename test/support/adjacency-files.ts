/** Adjacency lists as a test writes them into files, in whatever order and shape. */
export interface Lists {
  readonly vertices: number
  /** For each vertex its neighbours, as they are to stand in the file. */
  readonly neighbours: readonly (readonly number[])[]
  /** Weights beside them; null for none. */
  readonly weights: readonly (readonly number[])[] | null
}

export const adjacencyKinds = ['gr', 'gr2', 'egr', 'egr64', 'sg', 'vite'] as const
export type AdjacencyKind = (typeof adjacencyKinds)[number]

/** Bytes of a file, put together array by array as docs/formats.md says; shares nothing with our own writers. */
export function adjacencyFile(kind: AdjacencyKind, { vertices, neighbours, weights }: Lists): Buffer {
  const ends: number[] = []
  for (const list of neighbours) ends.push((ends.at(-1) ?? 0) + list.length)
  const arcs = ends.at(-1) ?? 0
  const targets = neighbours.flat()
  const values = weights?.flat() ?? null
  const i64 = (numbers: readonly number[]) => Buffer.from(BigInt64Array.from(numbers, BigInt).buffer)
  const u32 = (numbers: readonly number[]) => Buffer.from(Uint32Array.from(numbers).buffer)
  const f32 = (numbers: readonly number[]) => Buffer.from(Float32Array.from(numbers).buffer)
  const f64 = (numbers: readonly number[]) => Buffer.from(Float64Array.from(numbers).buffer)
  const padding = Buffer.alloc(arcs % 2 === 1 ? 4 : 0)
  const datum = values === null ? 0 : 4
  switch (kind) {
    case 'gr':
      return Buffer.concat([i64([1, datum, vertices, arcs]), i64(ends), u32(targets), padding, f32(values ?? [])])
    case 'gr2':
      return Buffer.concat([i64([2, datum, vertices, arcs]), i64(ends), i64(targets), f32(values ?? [])])
    case 'egr':
      return Buffer.concat([u32([vertices, arcs, 0, ...ends]), u32(targets), f32(values ?? [])])
    case 'egr64':
      return Buffer.concat([i64([vertices, arcs, 0, ...ends]), i64(targets), f64(values ?? [])])
    case 'sg': {
      const pairs = values === null ? u32(targets) : u32(targets.flatMap((v, i) => [v, values[i]!]))
      return Buffer.concat([Buffer.of(0), i64([arcs, vertices, 0, ...ends]), pairs])
    }
    case 'vite': {
      const pairs = targets.map((v, i) => Buffer.concat([i64([v]), f64([values?.[i] ?? 1])]))
      return Buffer.concat([i64([vertices, arcs, 0, ...ends]), ...pairs])
    }
  }
}

export const formatOf = { gr: 'galois', gr2: 'galois', egr: 'egr', egr64: 'egr', sg: 'gapbs', vite: 'vite' } as const
