// What threads of this machine move at most, without any algorithm: reads from the page cache into fresh memory, where each page is a fault, and
// into memory that was filled before; CRC-32. Memory and reads are those of runs (WebAssembly, pieces of 1 MiB).
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { crc32 } from 'node:zlib'

const PIECE = 1 << 20
/** The jobs of a row in their order, by the name of the column. */
const columns = { 'read, fresh': 'read', 'read, again': 'read', 'CRC-32': 'check' }

export async function* measure({ folder }, { mebibytes, threads, repeats }) {
  const bytes = Number(mebibytes) * PIECE
  const file = join(folder, 'traffic.bytes')
  writePieces(file, bytes)
  for (const count of threads.split(',').map(Number)) {
    const rounds = []
    for (let i = 0; i < Number(repeats); i++) rounds.push(await roundOf(file, bytes, count))
    const found = Object.keys(rounds[0]).map((name) => [name, rounds.map((each) => each[name])])
    yield { threads: count, ...Object.fromEntries(found) }
  }
  rmSync(file)
}

function writePieces(file, bytes) {
  const fd = openSync(file, 'w')
  const piece = Uint8Array.from({ length: PIECE }, (_, i) => (i * 2654435761) >>> 24)
  for (let at = 0; at < bytes; at += PIECE) writeSync(fd, piece)
  closeSync(fd)
}

/** GB/s of all threads and, of reads, milliseconds of the kernel for each GB: the jobs one after another, in memory of their own. */
async function roundOf(file, bytes, threads) {
  const share = Math.floor(bytes / threads / PIECE) * PIECE
  const memory = new WebAssembly.Memory({ initial: bytes >> 16, maximum: bytes >> 16, shared: true })
  const workers = Array.from({ length: threads }, (_, i) => {
    const data = { buffer: memory.buffer, file, from: i * share, bytes: share }
    return new Worker(new URL(import.meta.url), { workerData: data })
  })
  const answers = () => Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))))
  const send = (message) => workers.forEach((worker) => worker.postMessage(message))
  await answers()
  const found = {}
  for (const [name, job] of Object.entries(columns)) {
    const [before, startMs] = [process.cpuUsage(), performance.now()]
    send(job)
    await answers()
    const gigabytes = (share * threads) / 1e9
    found[`${name}, GB/s`] = gigabytes / ((performance.now() - startMs) / 1000)
    if (job === 'read') found[`${name}, kernel ms/GB`] = process.cpuUsage(before).system / 1000 / gigabytes
  }
  send('end')
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))))
  return found
}

function answer() {
  const { buffer, file, from, bytes } = workerData
  const view = new Uint8Array(buffer, from, bytes)
  const fd = openSync(file)
  const jobs = {
    read() {
      for (let at = 0; at < bytes; at += PIECE) readSync(fd, view, at, PIECE, from + at)
    },
    check() {
      let all = 0
      for (let at = 0; at < bytes; at += PIECE) all ^= crc32(view.subarray(at, at + PIECE))
      return all
    },
    end() {
      closeSync(fd)
      parentPort.close()
    },
  }
  parentPort.on('message', (job) => parentPort.postMessage(jobs[job]() ?? 0))
  parentPort.postMessage(0)
}

if (!isMainThread) answer()
