import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread, threadId } from 'node:worker_threads'

export type Variables = Readonly<Record<string, string | undefined>>

/** One thread at a time changes the environment, or starts Vulkan from it. */
const lockPath = join(tmpdir(), `anticlique-environment-${processMark()}`)
const RETRY_MS = 2
const ABANDONED_MS = 30_000

let earlier: Promise<unknown> = Promise.resolve()

/** undefined removes a variable. Drivers and loaders read it; threads change it only when they share it. */
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

/** Two threads of Node 24.21 were seen to hold one lock of `navigator`. A lock of a dead thread is taken over. */
async function locked<T>(work: () => Promise<T>): Promise<T> {
  while (!taken()) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  try {
    return await work()
  } finally {
    rmSync(lockPath, { force: true })
  }
}

function taken(): boolean {
  try {
    closeSync(openSync(lockPath, 'wx'))
    return true
  } catch (error) {
    // Without a folder there is no lock.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return true
  }
  const heldMs = Date.now() - (statSync(lockPath, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (heldMs > ABANDONED_MS) rmSync(lockPath, { force: true })
  return false
}

/** Not of a later process of its number. */
function processMark(): string {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
    return `${process.pid}-${fields[19]}`
  } catch {
    return String(process.pid)
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

/** The diagnostic report reads the environment as drivers do. */
export async function environmentIsReal(): Promise<boolean> {
  if (isMainThread) return true
  const mark = `ANTICLIQUE_MARK_${threadId}`
  return withEnvironment({ [mark]: 'seen' }, () => Promise.resolve(nativeVariable(mark) === 'seen'))
}

/** A report's network part may wait for name servers. */
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
