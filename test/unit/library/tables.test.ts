import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import { type RunState, runStates } from '../../../electron/contract/run.ts'
import { Library } from '../../../electron/library/library.ts'
import { isAlive, thisOwner } from '../../../electron/library/owner.ts'
import { pathFacts, pathOutcome, record, request, temporaryFolder } from './fixtures.ts'

let library: Library
beforeEach(() => {
  library = Library.open(join(temporaryFolder(), 'library'))
  return () => library.close()
})

const addPath = (name = 'path') => library.datasets.insert({ name, folder: `${name}-1`, facts: pathFacts() })
const addRun = (id: string, name?: string) =>
  library.runs.insert({ id, datasetId: library.datasets.find('path')?.id ?? addPath().id, name, request: request() })

describe('datasets', () => {
  test('come back as they went in', () => {
    const dataset = addPath()
    expect(dataset).toMatchObject({
      name: 'path',
      vertices: 3,
      arcs: 4,
      maxDegree: 2,
      weighted: false,
      checksum: 'c0ffee',
    })
    expect(dataset.report).toEqual(pathFacts().report)
    expect(library.datasets.list()).toEqual([dataset])
  })

  test('a second one of the same name is refused, and the first stays', () => {
    const first = addPath()
    expect(() => library.datasets.insert({ name: 'path', folder: 'other', facts: pathFacts() })).toThrow(
      /has a dataset called "path" already/,
    )
    expect(library.datasets.list()).toEqual([first])
  })

  test('renaming refuses a taken name and an unknown dataset', () => {
    addPath()
    addPath('star')
    expect(library.datasets.rename('star', 'wheel').name).toBe('wheel')
    expect(() => library.datasets.rename('wheel', 'path')).toThrow(/already/)
    expect(() => library.datasets.rename('star', 'sun')).toThrow(/no dataset called "star"/)
  })

  test('removing one keeps its runs, with the name it had', () => {
    addRun('r1')
    library.datasets.remove(library.datasets.get('path').id)
    expect(library.runs.list()).toMatchObject([{ id: 'r1', datasetId: null, dataset: 'path' }])
  })

  test('a discarded folder is gone, with nothing left beside it', () => {
    const folder = library.datasetFolder({ folder: 'path-1' })
    mkdirSync(folder)
    writeFileSync(join(folder, 'graph.gr'), 'x')
    library.discard(folder)
    expect(existsSync(folder)).toBe(false)
    expect(readdirSync(join(library.folder, 'datasets'))).toEqual([])
  })
})

describe('run states', () => {
  const steps = runStates.flatMap((from) => runStates.map((to): [RunState, RunState] => [from, to]))
  const way: Partial<Record<RunState, RunState[]>> = {
    planning: ['planning'],
    running: ['planning', 'running'],
    verifying: ['planning', 'running', 'verifying'],
    done: ['planning', 'running', 'done'],
    failed: ['failed'],
    cancelled: ['cancelled'],
    interrupted: ['interrupted'],
  }

  /** Written out, and not read from the table that is tested. */
  const legal = new Set([
    ...['queued planning', 'queued failed', 'queued cancelled', 'queued interrupted'],
    ...['planning running', 'planning failed', 'planning cancelled', 'planning interrupted'],
    ...['running verifying', 'running done', 'running failed', 'running cancelled', 'running interrupted'],
    ...['verifying done', 'verifying failed', 'verifying cancelled', 'verifying interrupted'],
    ...['failed queued', 'cancelled queued', 'interrupted queued'],
  ])

  test.each(steps)('%s -> %s', (from, to) => {
    addRun('r1')
    for (const state of way[from] ?? []) library.runs.move('r1', state)
    if (legal.has(`${from} ${to}`)) expect(library.runs.move('r1', to).state).toBe(to)
    else {
      expect(() => library.runs.move('r1', to)).toThrow(`cannot go from ${from} to ${to}`)
      expect(library.runs.find('r1')!.state).toBe(from)
    }
  })

  test('a claim that fails half-way leaves the run as it was', () => {
    addRun('r1')
    const other = new Database(join(library.folder, 'library.sqlite'))
    // What a full disk does, and does only when the state is written.
    other.exec(`CREATE TRIGGER full BEFORE UPDATE OF state ON runs BEGIN SELECT RAISE(ABORT, 'full'); END`)
    const before = library.runs.find('r1')
    expect(() => library.runs.claim('r1', ['cpu:0'])).toThrow('full')
    expect(library.runs.find('r1')).toEqual(before)
    other.exec('DROP TRIGGER full')
    other.close()
    expect(library.runs.claim('r1', ['cpu:0'])).toMatchObject({ run: { state: 'planning', queue: { attempts: 1 } } })
  })

  test('a result whose first figure is no whole number is kept', () => {
    addRun('r1')
    for (const state of ['planning', 'running'] as const) library.runs.move('r1', state)
    const result = { kind: 'values', size: -0.75, figures: { energy: -0.75 }, hash: '0123456789abcdef' } as const
    const spins = { ...record('r1'), outcome: pathOutcome({ algorithm: 'spin-glass', result }) }
    library.runs.move('r1', 'done', { record: spins })
    expect(library.runs.get('r1')).toMatchObject({ state: 'done', size: -0.75, record: spins })
  })

  test('a finished run keeps its record, size, hash and times', () => {
    addRun('r1')
    library.runs.move('r1', 'planning')
    library.runs.move('r1', 'running')
    const run = library.runs.move('r1', 'done', { record: record('r1') })
    expect(run).toMatchObject({ state: 'done', size: 2, hash: '0123456789abcdef', failure: null })
    expect(run.record).toEqual(record('r1'))
    expect(run.startedAt! <= run.finishedAt!).toBe(true)
  })
})

describe('finding a run', () => {
  test('by id, beginning, name and "latest"', () => {
    addRun('20260101-000000-aaaa', 'mine')
    addRun('20260101-000000-abbb')
    expect(library.runs.get('20260101-000000-abbb').id).toBe('20260101-000000-abbb')
    expect(library.runs.get('20260101-000000-aa').name).toBe('mine')
    expect(library.runs.get('mine').id).toBe('20260101-000000-aaaa')
    expect(library.runs.get('latest').id).toBe('20260101-000000-abbb')
    expect(() => library.runs.get('2026')).toThrow('2 runs begin with "2026"')
    expect(() => library.runs.get('')).toThrow('no run ""')
    expect(() => library.runs.get('x')).toThrow(/no run "x"/)
  })
})

describe('runs whose process is gone', () => {
  const reopen = (): void => {
    library.close()
    library = Library.open(library.folder)
  }
  const disown = (id: string, pid: number, start: string | null): void => {
    const database = new Database(join(library.folder, 'library.sqlite'))
    database.prepare('UPDATE runs SET owner_pid = ?, owner_start = ? WHERE id = ?').run(pid, start, id)
    database.close()
  }

  test('become interrupted when the library is opened, in every active state', () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    for (const [id, states] of Object.entries({ q: [], p: ['planning'], r: ['planning', 'running'] } as const)) {
      addRun(id)
      for (const state of states) library.runs.move(id, state)
      disown(id, dead, null)
    }
    reopen()
    expect(library.runs.list().map(({ state }) => state)).toEqual(['interrupted', 'interrupted', 'interrupted'])
    expect(library.runs.find('r')!.failure!.what).toMatch(/ended before the run did/)
  })

  test('a later process with the same id does not count', () => {
    addRun('r')
    disown('r', process.pid, 'another start')
    reopen()
    expect(library.runs.find('r')!.state).toBe(thisOwner().start === null ? 'queued' : 'interrupted')
  })

  test('runs of this process, of another living process, and finished ones stay', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(other, 'spawn')
    for (const id of ['mine', 'others', 'done']) addRun(id)
    for (const state of ['planning', 'running', 'done'] as const) library.runs.move('done', state)
    disown('others', other.pid!, null)
    disown('done', 2 ** 22 + 1, null)
    reopen()
    const states = Object.fromEntries(library.runs.list().map(({ id, state }) => [id, state]))
    expect(states).toEqual({ mine: 'queued', others: 'queued', done: 'done' })
    other.kill()
    await once(other, 'exit')
    reopen()
    expect(library.runs.find('others')!.state).toBe('interrupted')
    expect(library.runs.find('mine')!.state).toBe('queued')
  })

  test('this process is alive', () => {
    expect(isAlive(thisOwner())).toBe(true)
  })
})

test.runIf(process.platform === 'linux')(
  'a process that was killed is gone, though its parent has not asked for it',
  async () => {
    // The shell starts a child, kills it, and becomes a program that never asks how its children ended.
    const parent = spawn('sh', ['-c', 'sleep 60 & kill -9 $!; echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (text) => resolve(Number(text))))
      await expect.poll(() => isAlive({ pid, start: null })).toBe(false)
      expect(isAlive({ pid: parent.pid!, start: null })).toBe(true)
    } finally {
      parent.kill('SIGKILL')
    }
  },
)
