import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { main } from '../../../electron/cli/main.ts'
import { Shell } from '../../../electron/cli/shell.ts'
import { Library } from '../../../electron/library/library.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { throwIfCancelled } from '../../../workers/base/job.ts'
import type { RunArgs } from '../../../workers/contract/jobs.ts'
import { pathOutcome, temporaryFolder } from '../library/fixtures.ts'
import { FakeRunner } from '../service/fake-runner.ts'

let folder: string
let runner: FakeRunner
let stdout: string
let stderr: string

beforeEach(async () => {
  folder = temporaryFolder()
  runner = new FakeRunner()
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((stdout += String(text)), true))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((stderr += String(text)), true))
  writeFileSync(join(folder, 'path.txt'), '1 2\n2 3\n')
  expect(await command('import', join(folder, 'path.txt'))).toBe(0)
})
afterEach(() => void vi.restoreAllMocks())

/** The exit code of a command; what it says is in `stdout` and `stderr`. */
function command(...words: string[]): Promise<number> {
  stdout = ''
  stderr = ''
  return main(['--library', join(folder, 'library'), ...words], () => runner)
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

describe('run', () => {
  test('--verify ends with 3 where the result fails, and shows the witness', async () => {
    const sentence = '1 and 2 are both in the set and joined by an edge'
    const bad = { verified: false, law: 'independent', edge: ['1', '2'], sentence } as const
    const verification = { ...bad, size: 2, hash: 'x', upperBound: 2, elapsedMs: 1 }
    runner.answers.run = async () => pathOutcome({ verification })
    expect(await command('--json', 'run', 'path', '--verify')).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({ verified: false })
    expect(lines(stderr)).toEqual([expect.stringContaining(sentence)])
  })

  test('--checkpoint is in seconds', async () => {
    expect(await command('run', 'path', '--checkpoint', '45')).toBe(0)
    expect(runner.asked.at(-1)).toMatchObject({ name: 'run', args: { checkpointEveryMs: 45_000 } })
  })

  test.each([
    ['input', 2],
    ['storage', 2],
    ['device', 4],
    ['engine', 4],
    ['cancelled', 130],
  ] as const)('a failure of kind %s ends with %i and one line', async (code, expected) => {
    runner.answers.run = async () => {
      throw new Failure({ code, what: 'it cannot be done', remedy: 'Mend it.' })
    }
    expect(await command('run', 'path')).toBe(expected)
    expect(lines(stderr)).toEqual([expect.stringContaining('it cannot be done. Mend it.')])
    expect(stdout).toBe('')
  })

  test('an output that cannot be written after all does not hide that the run is kept', async () => {
    runner.answers.export = async () => {
      throw new Failure({ code: 'storage', what: 'the disk is full', remedy: 'Free some space.' })
    }
    expect(await command('run', 'path', '--output', join(folder, 'set.txt'))).toBe(2)
    const [line] = lines(stderr)
    const run = /Free some space\. The run is kept: write its result with "anticlique export (\S+)"\.$/.exec(line!)?.[1]
    expect(await command('--json', 'runs', 'show', run!)).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ run: { id: run, state: 'done' } })
  })

  test('an output that cannot be written is refused before anything is computed', async () => {
    for (const option of ['--output', '--trace']) {
      expect(await command('run', 'path', option, folder)).toBe(2)
      expect(lines(stderr)).toEqual([expect.stringContaining('this is a directory, not a file')])
    }
    expect(runner.asked.some(({ name }) => name === 'run')).toBe(false)
  })
})

test.each([
  ['datasets bogus', 'datasets has no command "bogus"; it has list, show,', 'See "anticlique datasets --help".'],
  ['datasets remove show bogus', "too many arguments for 'remove'", 'See "anticlique datasets remove --help".'],
  ['generate rmat', "required option '--scale <n>'", 'See "anticlique generate rmat --help".'],
])('%s: says what is wrong, and whose help tells more', async (words, what, help) => {
  expect(await command(...words.split(' '))).toBe(2)
  expect(lines(stderr)).toEqual([expect.stringContaining(what)])
  expect(stderr).toContain(help)
})

describe('signals', () => {
  /** What the command does when the program is sent a signal. */
  function signalled(shell: Shell): { send: () => void; release: () => void } {
    const before = process.listeners('SIGINT')
    const release = shell.catchSignals()
    const [send] = process.listeners('SIGINT').filter((listener) => !before.includes(listener))
    return { send: () => send!('SIGINT'), release }
  }

  test('the first one stops the work; a second one ends the program, unless it is the same one again', () => {
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
    let nowMs = 1000
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    const shell = new Shell(
      () => ({}),
      () => runner,
    )
    const { send, release } = signalled(shell)
    expect(shell.job.signal.aborted).toBe(false)
    send()
    expect(shell.job.signal.aborted).toBe(true)
    nowMs += 150
    send()
    expect(exit).not.toHaveBeenCalled()
    nowMs += 100
    send()
    expect(exit).toHaveBeenCalledExactlyOnceWith(130)
    release()
  })

  test('work that is cancelled ends with 130', async () => {
    const before = process.listeners('SIGTERM')
    runner.answers.generate = async (_args, job) => {
      for (const listener of process.listeners('SIGTERM')) if (!before.includes(listener)) listener('SIGTERM')
      throwIfCancelled(job.signal)
      throw new Error('it went on')
    }
    expect(await command('generate', 'star', '--vertices', '5')).toBe(130)
    expect(lines(stderr)).toEqual([expect.stringMatching(/^cancelled/)])
    expect(process.listeners('SIGTERM')).toEqual(before)
  })
})

describe('export', () => {
  beforeEach(async () => expect(await command('run', 'path')).toBe(0))

  test('a dataset with a long name has a file name that fits', async () => {
    const long = '名'.repeat(100)
    await command('datasets', 'rename', 'path', long)
    const here = vi.spyOn(process, 'cwd').mockReturnValue(folder)
    expect(await command('--json', 'export', 'latest', '--format', 'csv')).toBe(0)
    here.mockRestore()
    const { files, record } = JSON.parse(stdout) as { files: string[]; record: string }
    expect([...files, record].map((file) => readdirSync(folder).includes(file.slice(folder.length + 1)))).toEqual([
      true,
      true,
    ])
  })

  test('--spreadsheet-safe reaches both kinds of CSV', async () => {
    const output = join(folder, 'out.csv')
    expect(await command('export', 'latest', '--output', output, '--spreadsheet-safe')).toBe(0)
    expect(runner.asked.at(-1)).toMatchObject({ name: 'export', args: { format: 'csv', spreadsheetSafe: true } })
    const words = ['datasets', 'export', 'path', '--format', 'csv', '--output', output, '--spreadsheet-safe']
    expect(await command(...words)).toBe(0)
    expect(runner.asked.at(-1)).toMatchObject({ name: 'export-graph', args: { spreadsheetSafe: true } })
  })
})

test.skipIf(process.platform === 'win32')(
  'what is made is for the owner of the library alone, and the mask is given back',
  async () => {
    const own = process.umask()
    let during = own
    runner.answers.run = async ({ resultFile }: RunArgs) => {
      during = process.umask()
      writeFileSync(resultFile, Uint8Array.of(0b101))
      return pathOutcome()
    }
    expect(await command('run', 'path')).toBe(0)
    expect([during & 0o077, process.umask()]).toEqual([0o077, own])
    const library = Library.open(join(folder, 'library'))
    const [run] = library.runs.list()
    expect(JSON.parse(readFileSync(join(library.runFolder(run!.id), 'record.json'), 'utf8'))).toEqual(run!.record)
    library.close()
  },
)
