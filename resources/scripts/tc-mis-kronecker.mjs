// R-MAT graphs of hundreds of millions of arcs, on all cores; for bench-tc-mis.mjs. The parameters are those of Graph500
// (0.57, 0.19, 0.19, 0.05), ids are shuffled, as in kron_g500-logn21 of Table 1 of TC-MIS. The graph is a function of its numbers,
// not of the cores: draws are numbered, and lists are sorted in the end.
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { fileURLToPath } from 'node:url'
import { writeLists } from './tc-mis-graphs.mjs'

/** 32 random bits of two numbers: the finalizer of MurmurHash3 (Appleby), twice. */
function hash(a, b) {
  let x = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  x ^= x >>> 16
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d)
  return (x ^ (x >>> 16)) >>> 0
}

/** A bijection on ids of `scale` bits: multiplications by odd numbers and shifts are undone one by one. */
function shuffled(id, scale) {
  const mask = 2 ** scale - 1
  const half = scale >> 1
  let x = id
  for (const factor of [0x2545f491, 0x1b873593, 0x5bd1e995]) {
    x = (Math.imul(x + factor, factor | 1) & mask) >>> 0
    x ^= x >>> half
  }
  return x
}

/** The ends of draw `i`, each level by 16 bits. */
function draw(i, scale, ends) {
  let [u, v] = [0, 0]
  for (let level = 0, bits = 0; level < scale; level++, bits >>>= 16) {
    if ((level & 1) === 0) bits = hash(i, level)
    const part = (bits & 0xffff) / 65536
    u = 2 * u + (part >= 0.76 ? 1 : 0)
    v = 2 * v + ((part >= 0.57 && part < 0.76) || part >= 0.95 ? 1 : 0)
  }
  ends[0] = shuffled(u, scale)
  ends[1] = shuffled(v, scale)
}

function forEachDraw({ scale, edges, worker, workers }, visit) {
  const ends = [0, 0]
  const end = Math.floor((edges * (worker + 1)) / workers)
  for (let i = Math.floor((edges * worker) / workers); i < end; i++) {
    draw(i, scale, ends)
    if (ends[0] !== ends[1]) visit(ends[0], ends[1])
  }
}

const steps = {
  count(part) {
    forEachDraw(part, (u, v) => {
      Atomics.add(part.degrees, u, 1)
      Atomics.add(part.degrees, v, 1)
    })
  },
  /** `degrees` holds where the next neighbour of each vertex goes. */
  scatter(part) {
    forEachDraw(part, (u, v) => {
      part.lists[Atomics.add(part.degrees, u, 1)] = v
      part.lists[Atomics.add(part.degrees, v, 1)] = u
    })
  },
  /** Sorts lists and takes out what is there twice; `degrees` holds their ends, and then their lengths. */
  tidy({ degrees, lists, starts, worker, workers }) {
    // Vertices in turns: degrees differ by five orders of magnitude.
    for (let v = worker; v < degrees.length; v += workers) {
      const list = lists.subarray(starts[v], degrees[v]).sort()
      let kept = 0
      for (let i = 0; i < list.length; i++) if (i === 0 || list[i] !== list[i - 1]) list[kept++] = list[i]
      degrees[v] = kept
    }
  },
}

/** Writes R-MAT with 2^scale vertices and so many edges drawn for each into a folder, as a canonical graph. */
export async function writeKronecker(folder, { scale, edgeFactor, workers }) {
  const shared = (words) => new Uint32Array(new SharedArrayBuffer(4 * words))
  const vertices = 2 ** scale
  const edges = Math.round(vertices * edgeFactor)
  const [degrees, starts, lists] = [shared(vertices), shared(vertices + 1), shared(2 * edges)]
  const run = (step) =>
    Promise.all(
      Array.from({ length: workers }, (_, worker) => {
        const part = { step, scale, edges, worker, workers, degrees, starts, lists }
        return new Promise((resolve, reject) => {
          new Worker(fileURLToPath(import.meta.url), { workerData: part }).on('error', reject).on('message', resolve)
        })
      }),
    )
  await run('count')
  for (let v = 0; v < vertices; v++) starts[v + 1] = starts[v] + degrees[v]
  degrees.set(starts.subarray(0, vertices))
  await run('scatter')
  await run('tidy')
  writeLists(folder, vertices, (v) => lists.subarray(starts[v], starts[v] + degrees[v]))
}

if (!isMainThread && steps[workerData?.step] !== undefined) {
  steps[workerData.step](workerData)
  parentPort.postMessage('done')
}
