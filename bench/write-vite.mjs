// Vite binary with the weights random3 of seed 0, for programs that read it, such as the authors' LD-GPU (sumac).
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { GaloisGr } from '../workers/graph/galois-gr.ts'
import { weighedLists } from '../workers/graph/scan-lists.ts'

const STEP = 1 << 20
const ROOM_BYTES = 1 << 24

/** Writes FOLDER/NAME.bin: i64 n, i64 m, i64 offsets [n + 1], then i64 target and f64 weight of each arc. */
export function writeVite(path, folder, name) {
  const graph = GaloisGr.open(path)
  mkdirSync(folder, { recursive: true })
  const file = openSync(join(folder, `${name}.bin`), 'w')
  const put = (array) => writeSync(file, new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  put(BigInt64Array.of(BigInt(graph.vertices), BigInt(graph.arcs), 0n))
  for (let first = 0; first < graph.vertices; first += STEP) {
    const last = Math.min(graph.vertices, first + STEP)
    put(BigInt64Array.from(graph.readOffsets(first, last).subarray(1), BigInt))
  }
  putArcs(graph, put)
  closeSync(file)
  graph.close()
}

function putArcs(graph, put) {
  const room = new ArrayBuffer(ROOM_BYTES)
  // Targets are below 2^32: the high word of each stays 0.
  const [words, doubles] = [new Uint32Array(room), new Float64Array(room)]
  const job = { signal: { aborted: false }, progress: () => {}, log: () => {} }
  let filled = 0
  for (const { neighbours, weights } of weighedLists(graph, { weights: 'random3', seed: 0 }, 'write', job))
    for (let i = 0; i < neighbours.length; i++) {
      words[4 * filled] = neighbours[i]
      doubles[2 * filled + 1] = weights[i] / 1000
      if (++filled < ROOM_BYTES / 16) continue
      put(words)
      filled = 0
    }
  put(words.subarray(0, 4 * filled))
}
