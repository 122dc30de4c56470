import { existsSync, statfsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What is asked of the system once: each question reads a file, in half a millisecond at the most. A small graph takes one. */
function once<T>(ask: () => T): () => T {
  let known: { readonly answer: T } | undefined
  return () => (known ??= { answer: ask() }).answer
}

/** Memory of the machine. */
export const machineBytes = once(totalmem)
const memoryLimit = once(() => process.constrainedMemory())
const processors = once(availableParallelism)

/** Host memory for preparing by default: a quarter of the machine's. */
export const preparingBytes = (): number => Math.floor(machineBytes() / 4)

let sharers = 1

/** Divides free memory among so many processes of this machine, which compute this thread's run together. */
export function shareMachine(processes: number): void {
  sharers = processes
}

/** What is free is asked again after this: a batch of small graphs would spend a quarter of its time on the question. */
const FRESH_MS = 100

/** What is free, of a place or of the machine, as far as it was asked lately. */
class Free {
  readonly #ask: (place: string) => number
  #last = { place: '', bytes: 0, atMs: -Infinity }

  constructor(ask: (place: string) => number) {
    this.#ask = ask
  }

  of(place: string): number {
    const nowMs = performance.now()
    const isFresh = this.#last.place === place && nowMs - this.#last.atMs <= FRESH_MS
    if (!isFresh) this.#last = { place, bytes: this.#ask(place), atMs: nowMs }
    return this.#last.bytes
  }
}

const freeMemory = new Free(() => process.availableMemory())

/** Memory of `cpu:N`: within this process's limit, where it has one. What is free is divided among the processes of a run. */
export function hostMemory(): { memoryBytes: number; memoryFreeBytes: number } {
  const limit = memoryLimit()
  const total = limit > 0 ? Math.min(limit, machineBytes()) : machineBytes()
  const free = Math.min(freeMemory.of(''), total)
  return { memoryBytes: total, memoryFreeBytes: Math.floor(free / sharers) }
}

const freeDisk = new Free((path) => {
  let place = path
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  const disk = statfsSync(place)
  return disk.bavail * disk.bsize
})

/** Bytes that are free on the disk of a path, which need not be there yet. */
export const freeDiskBytes = (path: string): number => freeDisk.of(path)

/** Shared memory is freed once all threads have collected it; a waiting thread does not by itself. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

/** Processors that this process may use. */
export const processorsHere = (): number => Math.max(1, Math.floor(processors() / sharers))
