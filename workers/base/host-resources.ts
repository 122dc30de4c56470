import { existsSync, statfsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Host memory for preparing by default: a quarter of the machine's. */
export const preparingBytes = (): number => Math.floor(totalmem() / 4)

let sharers = 1

/** Divides free memory among so many processes of this machine, which compute this thread's run together. */
export function shareMachine(processes: number): void {
  sharers = processes
}

let knownLimit: number | undefined

/** Reading it takes half a millisecond; it stays. */
const memoryLimit = (): number => (knownLimit ??= process.constrainedMemory())

/** What is free is asked again after this: a batch of small graphs would spend a quarter of its time on the question. */
const FRESH_MS = 10
let knownFree = { bytes: 0, atMs: -Infinity }

function availableBytes(): number {
  const nowMs = performance.now()
  if (nowMs - knownFree.atMs > FRESH_MS) knownFree = { bytes: process.availableMemory(), atMs: nowMs }
  return knownFree.bytes
}

/** Memory of `cpu:N`: within this process's limit, where it has one. What is free is divided among the processes of a run. */
export function hostMemory(): { memoryBytes: number; memoryFreeBytes: number } {
  const limit = memoryLimit()
  const total = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  const free = Math.min(availableBytes(), total)
  return { memoryBytes: total, memoryFreeBytes: Math.floor(free / sharers) }
}

export function freeDiskBytes(path: string): number {
  let place = path
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  const disk = statfsSync(place)
  return disk.bavail * disk.bsize
}

/** Shared memory is freed once all threads have collected it; a waiting thread does not by itself. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

/** Processors that this process may use. */
export const processorsHere = (): number => Math.max(1, Math.floor(availableParallelism() / sharers))
