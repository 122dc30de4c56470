import { GR_HEADER_BYTES, grLayout } from '../graph/graph-file.ts'
import type { BuiltGraph } from './build-graph.ts'
import type { FileWriter } from './file-writer.ts'

const VERTEX_STEP = 1 << 20

/** Writes a canonical graph as Galois version 1 (workers/graph/galois-gr.ts). */
export async function writeGraph(
  file: FileWriter,
  graph: BuiltGraph,
  rest: (bytes: number) => Promise<void>,
): Promise<void> {
  const { vertices, arcs, offsets, targets, weights } = graph
  const header = new BigUint64Array(GR_HEADER_BYTES / 8)
  header.set([1n, weights === null ? 0n : 4n, BigInt(vertices), BigInt(arcs)])
  await file.writeArray(header, rest)
  for (let first = 0; first < vertices; first += VERTEX_STEP) {
    const last = Math.min(vertices, first + VERTEX_STEP)
    // The high halves stay zero: a graph in memory has fewer than 2^32 arcs.
    const ends = new Uint32Array(2 * (last - first))
    for (let v = first; v < last; v++) ends[2 * (v - first)] = offsets[v + 1]!
    await file.writeArray(ends, rest)
  }
  await file.writeArray(targets, rest)
  const padding = grLayout(vertices, arcs, false).fileBytes - file.bytes
  if (padding > 0) file.write(new Uint8Array(padding))
  if (weights !== null) await file.writeArray(weights, rest)
}
