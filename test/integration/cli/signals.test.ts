import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
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

/** The processors' time, by clock ticks of 10 ms. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return 10 * (Number(user) + Number(system))
}

/** One whose parent is gone may stay a name without a process for a while. */
const lives = (pid: number): boolean => isAlive({ pid, start: null })

let runs = 0
const stateOfLatest = async (): Promise<string> =>
  (await cli.json<{ runs: { state: string }[] }>('runs')).runs[0]?.state ?? 'none'

describe.runIf(process.platform === 'linux')('a job that never looks whether it was stopped', () => {
  beforeEach(() => {
    process.env['ANTICLIQUE_FAULT'] = 'endless'
    return () => void delete process.env['ANTICLIQUE_FAULT']
  })

  /** Starts a run, and waits until its engine works on it. */
  async function started(...words: string[]) {
    const begun = cli.start(...words)
    await cli.untilAtWork(++runs)
    const engine = await vi.waitFor(() => childrenOf(begun.child.pid!)[0] ?? expect.fail('no engine yet'))
    // What it takes to begin is less than that.
    const busyMs = cpuMsOf(engine) + 500
    await expect.poll(() => cpuMsOf(engine)).toBeGreaterThan(busyMs)
    return { ...begun, engine }
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
    // Two that come while the program has no processor are one.
    const pressing = setInterval(() => child.kill('SIGINT'), 300)
    expect((await ended).code).toBe(130)
    clearInterval(pressing)
    await expect.poll(() => lives(engine)).toBe(false)
    delete process.env['ANTICLIQUE_FAULT']
    // Who waits for the engine, as after one of them, has its run cancelled.
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
  const nothingIsLeft = async (): Promise<void> => {
    expect(await cli.json('datasets')).toMatchObject({ datasets: [{ name: 'path' }] })
    expect(readdirSync(join(cli.library, 'datasets'))).toHaveLength(1)
  }
  const huge = ['generate', 'rmat', '--scale', '22', '--name', 'huge']

  test('while Node begins to start leaves nothing', async () => {
    const { child, ended } = cli.start(...huge)
    await after(150)
    process.kill(-child.pid!, 'SIGTERM')
    const { code, stdout, stderr } = await ended
    // Node itself may only have begun to start: then the system ends it.
    if (child.signalCode === null) expect(code).toBe(130)
    else expect(child.signalCode).toBe('SIGTERM')
    expect(stdout).toBe('')
    for (const line of linesOf(stderr)) expect(line).toMatch(/^cancelled/)
    await nothingIsLeft()
  })

  // Moments of its own, however slow the machine is.
  test.each([
    ['SIGTERM', 'cli'],
    ['SIGINT', 'generate'],
    ['SIGTERM', 'command'],
  ] as const)('%s while it loads its part %s ends with 130', async (signal, name) => {
    const sends = `const files = process.getBuiltinModule('node:fs')
      const read = files.readFileSync
      files.readFileSync = (path, ...options) => {
        if (process.argv[1]?.endsWith('launch.mjs') && /\\/out\\/main\\/(chunks\\/)?${name}[.-]/.test(path)) process.kill(-process.pid, '${signal}')
        return read(path, ...options)
      }`
    const env = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(sends)}"` }
    const { code, stdout, stderr } = await cli.launched(['env'], env, ...huge)
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    for (const line of linesOf(stderr)) expect(line).toMatch(/^cancelled/)
    await nothingIsLeft()
  })

  test('while its engine works ends with 130 and leaves nothing', async () => {
    const { child, ended } = cli.start(...huge)
    await expect.poll(() => readdirSync(join(cli.library, 'datasets'))).toHaveLength(2)
    process.kill(-child.pid!, 'SIGINT')
    const { code, stdout, stderr } = await ended
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    for (const line of linesOf(stderr)) expect(line).toMatch(/^cancelled/)
    await nothingIsLeft()
  })

  test('ends a wait for standard input', async () => {
    const { child, ended } = cli.start('import', '-', '--name', 'piped')
    const inputs = (): string[] => readdirSync(join(cli.library, 'datasets')).filter((name) => name.startsWith('.'))
    await expect.poll(inputs).toHaveLength(1)
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
