import { isMainThread, threadId } from 'node:worker_threads'

export type Variables = Readonly<Record<string, string | undefined>>

/** The environment belongs to the process: one thread at a time may change it, or start Vulkan from it. */
const LOCK = 'anticlique:gpu-environment'
const RETRY_MS = 2

/** The calls before this one in this thread; all there is to wait for where Node has no locks between threads (before 24.5). */
let earlier: Promise<unknown> = Promise.resolve()

/**
 * Runs `start` while the process's environment has these values (undefined removes one), and then puts back what was there.
 * Drivers and loaders read the environment of the process: worker threads change it only when they share it.
 */
export async function withEnvironment<T>(values: Variables, start: () => Promise<T>): Promise<T> {
  const work = async (): Promise<T> => {
    const before = setAll(values)
    try {
      return await start()
    } finally {
      setAll(before)
    }
  }
  const result = earlier.then(() => locked(work))
  earlier = result.catch(() => {})
  return result
}

/** Asks again until the lock is free: a thread of Node 24 that waits in the lock's own queue may never be called. */
async function locked<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager }
  if (locks === undefined) return work()
  for (;;) {
    const done = await locks.request(LOCK, { ifAvailable: true }, async (lock) =>
      lock === null ? null : { result: await work() },
    )
    if (done !== null) return done.result
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

function setAll(values: Variables): Variables {
  const before: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(values)) {
    before[name] = process.env[name]
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  return before
}

/** Whether what this thread writes to its environment reaches native code: the diagnostic report reads it as drivers do. */
export async function environmentIsReal(): Promise<boolean> {
  if (isMainThread) return true
  const mark = `ANTICLIQUE_MARK_${threadId}`
  return withEnvironment({ [mark]: 'seen' }, () => Promise.resolve(nativeVariable(mark) === 'seen'))
}

/** Node's types lag behind: the network part of a report, left out here, may wait for name servers. */
interface Report {
  excludeNetwork?: boolean
  getReport(): unknown
}

function nativeVariable(name: string): string | undefined {
  const report = process.report as Report
  const before = report.excludeNetwork ?? false
  report.excludeNetwork = true
  try {
    return (report.getReport() as { environmentVariables?: Record<string, string> }).environmentVariables?.[name]
  } finally {
    report.excludeNetwork = before
  }
}
