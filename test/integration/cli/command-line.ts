import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, vi } from 'vitest'
import { main } from '../../../electron/cli/main.ts'
import { type JobRunner, Pool } from '../../../electron/pool/pool.ts'
import { behindTests, scratchFolder } from '../../support/scratch-folder.ts'

const launcher = join(import.meta.dirname, '../../../electron/launch.mjs')
const built = join(import.meta.dirname, '../../../out/main/cli.js')

/** How a command ended, as its user sees it. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The built command line with a library and a working folder of its own. */
export class CommandLine {
  readonly folder = scratchFolder('cli')
  readonly library = join(this.folder, 'library')

  constructor() {
    if (!existsSync(built)) throw new Error('These tests drive the built command line. Run: npm run build')
  }

  /** A file in the working folder; returns its name. */
  write(name: string, content: string | Uint8Array): string {
    writeFileSync(join(this.folder, name), content)
    return name
  }

  /** Starts it in a process group of its own, with a standard input that stays open. */
  start(...words: string[]): { child: ChildProcess; ended: Promise<Ended> } {
    return this.#follow(process.execPath, [launcher, ...words])
  }

  /** With its streams led elsewhere by a shell. */
  redirected(where: string, ...words: string[]): Promise<Ended> {
    return this.#follow('bash', ['-c', `"$@" ${where}`, 'bash', process.execPath, launcher, ...words]).ended
  }

  #follow(
    command: string,
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): { child: ChildProcess; ended: Promise<Ended> } {
    const child = spawn(command, words, {
      cwd: this.folder,
      env: { ...process.env, ...env, ANTICLIQUE_LIBRARY: this.library },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, stdout, stderr }))
    })
    return { child, ended }
  }

  /** Starts it by a launcher and its words. */
  launched(launch: readonly string[], env: Readonly<Record<string, string>>, ...words: string[]): Promise<Ended> {
    const [command, ...before] = launch as [string, ...string[]]
    return this.#follow(command, [...before, process.execPath, launcher, ...words], env).ended
  }

  run(...words: string[]): Promise<Ended> {
    return this.start(...words).ended
  }

  /** Settles when the newest run is at work, and there are so many runs. */
  async untilAtWork(runs = 1): Promise<void> {
    const database = new Database(join(this.library, 'library.sqlite'), { readonly: true })
    const newest = database.prepare('SELECT turn, state FROM runs ORDER BY turn DESC LIMIT 1')
    const atWork = { turn: runs, state: expect.stringMatching(/^(planning|running)$/) as string }
    await expect.poll(() => newest.get(), { interval: 2 }).toEqual(atWork)
    database.close()
  }

  /** The one document of a command that succeeds. */
  async json<T>(...words: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run('--json', ...words)
    if (code !== 0) throw new Error(`anticlique ${words.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout) as T
  }
}

let engine: Pool | undefined
let last: Promise<unknown> = Promise.resolve()

/** For the commands of a test file: it works in a folder that goes with it. */
function newEngine(): Pool {
  const pool = new Pool({ enginePath: join(dirname(built), 'engine.js') })
  behindTests(() => {
    engine = undefined
    return pool.close()
  })
  return pool
}

/** Runs a command in this process. One runs after another, as they share the streams of the process. */
export function runHere(folder: string, library: string, words: readonly string[]): Promise<Ended> {
  const ended = last.then(() => runNow(folder, library, words))
  last = ended.catch(() => undefined)
  return ended
}

async function runNow(folder: string, library: string, words: readonly string[]): Promise<Ended> {
  const pool = (engine ??= newEngine())
  const kept: JobRunner = { run: (...job) => pool.run(...job), close: () => Promise.resolve() }
  const said = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text, ...rest: unknown[]) => {
      said[stream] += typeof text === 'string' ? text : Buffer.from(text).toString()
      const done = rest.find((each) => typeof each === 'function') as (() => void) | undefined
      done?.()
      return true
    }),
  )
  const before = process.cwd()
  process.chdir(folder)
  vi.stubEnv('ANTICLIQUE_LIBRARY', library)
  try {
    return { code: await main(words, () => kept), ...said }
  } finally {
    vi.unstubAllEnvs()
    process.chdir(before)
    for (const spy of spies) spy.mockRestore()
  }
}

/**
 * The command line in this process, with one engine for all commands: a program and an engine each would take a second of a processor for
 * a command. What belongs to the process (signals, streams, an environment) needs a program of its own.
 */
export class CommandLineHere extends CommandLine {
  override run(...words: string[]): Promise<Ended> {
    return runHere(this.folder, this.library, words)
  }
}

/** The lines of stderr that are not remarks of a graphics driver or its loader. */
export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')
