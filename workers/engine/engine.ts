/**
 * The engine process: plain Node, forked by the pool, one thread a job. Threads are asked to stop and never terminated: ending one with GPU work
 * queued aborts the process. engine.js [--devices=LIST] [--bytes=N] [--checked=N] [--small] [JOB ...] starts threads and devices while the pool
 * still reads the arguments of the first job. It knows jobs by name and no algorithm; job-thread.ts loads a job's code, task-thread.ts that of a
 * worker.
 */

import { flushCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { SHARE_ENV, Worker } from 'node:worker_threads'
import { settleFailure } from '../base/failure.ts'
import { ABANDONED, ENOUGH, OUTPUT_UMASK } from '../base/job.ts'
import type { EngineReply, EngineRequest, JobName, Jobs } from '../contract/jobs.ts'
import { CHECKED_BYTES_EACH, PARSED_BYTES_EACH } from '../import/reader/import-resources.ts'
import { NO_DEVICE, threadEntry, threadFor, type ThreadStart } from '../threads/thread-pool.ts'
import type { JobThreadData, JobReply } from './serve-jobs.ts'

const ENTRY = 'job-thread'

/** Their threads keep what they opened. */
const ofDevices: readonly JobName[] = ['devices', 'run', 'batch', 'join-run', 'plan']

interface EngineThread {
  readonly opensDevices: boolean
  readonly worker: Worker
  readonly stop: Int32Array
  job: number | undefined
  device: string | undefined
  isAtRest: boolean
}

/** What the pool starts it with. */
const words = process.argv.slice(2)
const valueOf = (option: string): string | undefined =>
  words.find((word) => word.startsWith(option))?.slice(option.length)
const devices = valueOf('--devices=') ?? ''
const bytes = Number(valueOf('--bytes=') ?? 0)
/** Bytes of the graph whose run is verified; 0: none is. */
const checkedBytes = Number(valueOf('--checked=') ?? 0)
/** Its first job is done before more threads have started. */
const isSmall = words.includes('--small')

/** A large graph has more of them started. */
const MOST_THREADS = 15
const scanThreads = Math.min(MOST_THREADS, availableParallelism() - 1)

/** How long an engine without a parent may take to end its runs; one that hangs never stops. */
const ORPHAN_PATIENCE_MS = 3000

const threads = new Set<EngineThread>()

function send(reply: EngineReply): void {
  if (process.connected) process.send?.(reply)
}

/** Rather one with the device open. */
function idleThread(job: JobName, device: string | undefined): EngineThread {
  const opensDevices = ofDevices.includes(job)
  const idle = [...threads].filter((thread) => thread.opensDevices === opensDevices && thread.job === undefined)
  const same = idle.find((thread) => thread.device === device)
  const found = same ?? idle.find((thread) => thread.device === undefined) ?? idle[0]
  return found ?? startThread(opensDevices)
}

const several = (count: number, task: string): ThreadStart[] =>
  Array.from({ length: Math.min(availableParallelism(), Math.floor(count)) }, () => ({ task, device: NO_DEVICE }))

/** Bytes of a graph for which a set is checked by one more thread (verify/passes.ts). */
const VERIFIED_BYTES_EACH = 1 << 27

/** The threads that check a result beside that of its job. */
const checking = (graphBytes: number): readonly ThreadStart[] =>
  several(Math.max(0, Math.min(availableParallelism(), graphBytes / VERIFIED_BYTES_EACH) - 1), 'verify-set')

/** The threads that a job will need; each GPU after the first is opened in one of its own. */
function threadsOf(job: JobName): readonly ThreadStart[] {
  if (job === 'link') return several(bytes / CHECKED_BYTES_EACH, 'ingest')
  if (job === 'import') return several(bytes / PARSED_BYTES_EACH, 'ingest')
  if (job === 'verify') return checking(bytes)
  if (job !== 'run') return []
  const isHost = (id: string): boolean => /^cpu:\d+$/.test(id)
  const ids = devices.split(',')
  const gpus = ids.slice(1).filter((id) => !isHost(id))
  const starts = gpus.map((device) => ({ task: 'scan-set-on-device', device }))
  // Those that scan on the processor check, too.
  return [...starts, ...(ids.some(isHost) && !isSmall ? several(scanThreads, 'scan-set') : checking(checkedBytes))]
}

/** @param first its own threads start with it, and not only when its code runs, which takes as long again */
function startThread(opensDevices: boolean, first?: JobName): EngineThread {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const others = (first === undefined ? [] : threadsOf(first)).map((start) => threadFor(start))
  const ahead = first && { first, devices, scanThreads }
  const workerData: JobThreadData = { stop, ahead, threads: others.map(({ thread }) => thread) }
  const transferList = workerData.threads.map(({ port }) => port)
  // See workers/device/vulkan-loader.ts.
  const worker = new Worker(threadEntry(ENTRY), { workerData, transferList, name: ENTRY, env: SHARE_ENV })
  for (const { start } of others) start()
  const thread: EngineThread = { opensDevices, worker, stop, job: undefined, device: undefined, isAtRest: true }
  worker.on('message', (reply: JobReply) => receive(thread, reply))
  worker.on('error', (error) => lose(thread, error))
  worker.on('exit', () => lose(thread, new Error('the thread ended before its job')))
  threads.add(thread)
  return thread
}

function receive(thread: EngineThread, reply: JobReply): void {
  if (reply.type === 'rest') {
    thread.isAtRest = true
    return
  }
  if (reply.type === 'done' || reply.type === 'failed') {
    thread.job = undefined
    thread.isAtRest = false
  }
  send(reply)
}

function lose(thread: EngineThread, error: unknown): void {
  const { job } = thread
  threads.delete(thread)
  thread.job = undefined
  if (job !== undefined) send({ type: 'failed', job, ...settleFailure(error) })
}

function start(request: Extract<EngineRequest, { type: 'start' }>): void {
  const device = request.name === 'run' ? (request.args as Jobs['run']['args']).device : undefined
  const thread = idleThread(request.name, device)
  thread.job = request.job
  thread.device = device ?? thread.device
  Atomics.store(thread.stop, 0, 0)
  thread.worker.postMessage(request)
}

function cancel(job: number): void {
  for (const thread of threads) if (thread.job === job) Atomics.store(thread.stop, 0, 1)
}

/** A job that is cancelled meanwhile stays so. */
function finish(job: number): void {
  for (const thread of threads) if (thread.job === job) Atomics.compareExchange(thread.stop, 0, 0, ENOUGH)
}

const isBusy = (): boolean => [...threads].some(({ job }) => job !== undefined)
const isAtRest = (): boolean => [...threads].every((thread) => thread.isAtRest)

/** A job that was not cancelled is abandoned: what it did can be resumed. */
function whenIdle(end: () => void): void {
  const reason = isBusy() ? ABANDONED : 1
  for (const { stop } of threads) if (Atomics.load(stop, 0) !== 1) Atomics.store(stop, 0, reason)
  const look = (): void => {
    if (!isBusy() && isAtRest()) end()
  }
  look()
  setInterval(look, 20)
}

/** `process.exit` waits for every thread. */
function endHard(): void {
  flushCompileCache()
  process.kill(process.pid, 'SIGKILL')
}

process.on('message', (request: EngineRequest) => {
  switch (request.type) {
    case 'start':
      return start(request)
    case 'cancel':
      return cancel(request.job)
    case 'finish':
      return finish(request.job)
    case 'masks':
      return takeMasks(request)
    case 'quit':
      return whenIdle(() => process.exit(0))
  }
})
function takeMasks({ library, own }: Extract<EngineRequest, { type: 'masks' }>): void {
  process.umask(library)
  if (own === undefined) delete process.env[OUTPUT_UMASK]
  else process.env[OUTPUT_UMASK] = own
}

// The parent is gone.
process.on('disconnect', () => {
  setTimeout(endHard, ORPHAN_PATIENCE_MS)
  whenIdle(endHard)
})
// They reach the process group: the pool decides.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
for (const first of words.filter((word) => !word.startsWith('--')) as JobName[])
  startThread(ofDevices.includes(first), first)
send({ type: 'ready', node: process.versions.node })
if (/auto|gpu/.test(devices)) import('../device/bind-gpu.ts').then(({ startDriver }) => startDriver()).catch(() => {})
