import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isAlive } from '../../../electron/library/owner.ts'
import { CommandLine, linesOf } from './command-line.ts'

let cli: CommandLine
beforeAll(async () => {
  cli = new CommandLine()
  cli.write('path.txt', '1 2\n2 3\n')
  await cli.json('import', 'path.txt')
})

/** Processes with this parent; on Linux alone. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
      } catch {
        return false
      }
    })
    .map(Number)
}

/** One whose parent is gone may stay a name without a process for a while. */
const lives = (pid: number): boolean => isAlive({ pid, start: null })

const countOfRuns = async (): Promise<number> => (await cli.json<{ runs: unknown[] }>('runs')).runs.length
const stateOfLatest = async (): Promise<string> =>
  (await cli.json<{ runs: { state: string }[] }>('runs')).runs[0]?.state ?? 'none'

describe.runIf(process.platform === 'linux')('a job that never looks whether it was stopped', () => {
  beforeEach(() => {
    process.env['ANTICLIQUE_FAULT'] = 'endless'
    return () => void delete process.env['ANTICLIQUE_FAULT']
  })

  /** Starts a run, and waits until its engine works on it. */
  async function started(...words: string[]) {
    const before = await countOfRuns()
    const begun = cli.start(...words)
    await expect.poll(countOfRuns, { timeout: 20_000 }).toBe(before + 1)
    await expect.poll(stateOfLatest, { timeout: 20_000 }).toBe('planning')
    return { ...begun, engine: childrenOf(begun.child.pid!)[0]! }
  }

  test('Ctrl+C ends a run with 130 after some seconds, and its engine', async () => {
    const { child, ended, engine } = await started('run', 'path', '--devices', 'cpu:0')
    child.kill('SIGINT')
    const { code, stderr } = await ended
    expect([code, linesOf(stderr)]).toEqual([130, [expect.stringMatching(/^cancelled/)]])
    expect(lives(engine)).toBe(false)
    delete process.env['ANTICLIQUE_FAULT']
    expect(await stateOfLatest()).toBe('cancelled')
  })

  test('a second Ctrl+C ends at once, and the engine with it', async () => {
    const { child, ended, engine } = await started('run', 'path', '--devices', 'cpu:0')
    child.kill('SIGINT')
    await new Promise((later) => setTimeout(later, 300))
    const sentMs = performance.now()
    // Two that come while the program has no processor are one.
    const pressing = setInterval(() => child.kill('SIGINT'), 300)
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    clearInterval(pressing)
    expect(performance.now() - sentMs).toBeLessThan(2000)
    await expect.poll(() => lives(engine)).toBe(false)
    delete process.env['ANTICLIQUE_FAULT']
    expect(await stateOfLatest()).toBe('interrupted')
  })

  test('an engine whose program is gone ends by itself', async () => {
    const enginePath = resolve(import.meta.dirname, '../../../out/main/engine.js')
    const engine = fork(enginePath, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const ended = once(engine, 'exit')
    await once(engine, 'message')
    engine.send({ type: 'start', job: 1, name: 'preview', args: { source: join(cli.folder, 'path.txt') } })
    engine.disconnect()
    expect(await ended).toEqual([null, 'SIGKILL'])
  })
})

describe.skipIf(process.platform === 'win32')('a signal to the whole process group', () => {
  // From a program that is only being loaded to one whose engine is at work.
  test.each([
    ['SIGTERM', 150],
    ['SIGINT', 300],
    ['SIGTERM', 450],
    ['SIGINT', 1500],
  ] as const)('%s after %i ms ends with 130 and leaves nothing', async (signal, ms) => {
    const { child, ended } = cli.start('generate', 'rmat', '--scale', '22', '--name', 'huge')
    await new Promise((later) => setTimeout(later, ms))
    process.kill(-child.pid!, signal)
    const { code, stdout, stderr } = await ended
    // Node itself may only have begun to start: then the system ends it.
    if (child.signalCode === null) expect(code).toBe(130)
    else expect({ signal: child.signalCode, ms }).toEqual({ signal, ms: 150 })
    expect(stdout).toBe('')
    for (const line of linesOf(stderr)) expect(line).toMatch(/^cancelled/)
    expect(await cli.json('datasets')).toMatchObject({ datasets: [{ name: 'path' }] })
    expect(readdirSync(join(cli.library, 'datasets'))).toHaveLength(1)
  })

  test('ends a wait for standard input', async () => {
    const { child, ended } = cli.start('import', '-', '--name', 'piped')
    const inputs = (): string[] => readdirSync(join(cli.library, 'datasets')).filter((name) => name.startsWith('.'))
    await expect.poll(inputs, { timeout: 20_000 }).toHaveLength(1)
    process.kill(-child.pid!, 'SIGTERM')
    const { code, stderr } = await ended
    expect([code, linesOf(stderr)]).toEqual([130, [expect.stringMatching(/^cancelled/)]])
    expect(inputs()).toEqual([])
  })
})

describe.runIf(process.platform === 'linux')('a stream that cannot be written', () => {
  test('standard output on a full disk ends with 2 and one line', async () => {
    const { code, stderr } = await cli.redirected('> /dev/full', 'datasets')
    expect([code, linesOf(stderr)]).toEqual([2, [expect.stringMatching(/^standard output: the disk is full\./)]])
  })

  test('standard error on a full disk changes no exit code', async () => {
    expect(await cli.redirected('2> /dev/full', 'datasets', 'show', 'nothing')).toMatchObject({ code: 2, stdout: '' })
    expect(await cli.redirected('2> /dev/full', 'datasets')).toMatchObject({ code: 0 })
  })

  test('a reader that has seen enough is no failure', async () => {
    const { code, stderr } = await cli.redirected('| head -c 1 > /dev/null; exit ${PIPESTATUS[0]}', 'datasets')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})
