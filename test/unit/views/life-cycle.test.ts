import { mkdirSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../workers/failure.ts'
import { prepareView } from '../../../workers/graph/prepare-view.ts'
import { manageViews } from '../../../workers/graph/views/manage-views.ts'
import type { ViewHeader } from '../../../workers/graph/view-file.ts'
import { quietJob } from '../../../workers/job.ts'
import type { JobContext } from '../../../workers/job.ts'
import { randomStream, smallGraph } from '../../support/graphs.ts'
import { Folders } from '../../support/views.ts'

const folders = new Folders()
const random = randomStream(1)
const drawn = (): number => Math.floor(2000 * random())
/** About 40,000 arcs and a quarter of a mebibyte: out of core. */
const graph = smallGraph(
  2000,
  Array.from({ length: 20_000 }, () => [drawn(), drawn()] as const),
)
const outOfCore = { priority: 'degree', seed: 0, budgetBytes: 2 ** 18, threads: 1 } as const
const files = (folder: string): string[] => readdirSync(join(folder, 'views'))

function failureOf(work: () => unknown): Failure {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('this should have failed')
}

describe('views of a dataset', () => {
  it('are listed, built ahead and dropped by name', () => {
    const made = folders.of(graph)
    expect(manageViews(made, quietJob)).toEqual({ dropped: [], buildMs: null, views: [] })
    const first = manageViews({ ...made, build: 'oriented:hash-7' }, quietJob)
    expect(first.buildMs).toBeGreaterThan(0)
    expect(manageViews({ ...made, build: 'oriented:hash-7' }, quietJob).buildMs).toBe(0)
    const both = manageViews({ ...made, build: 'weight-ordered:unit-degree', check: true }, quietJob).views
    expect(both).toMatchObject([
      { name: 'oriented-hash-7', kind: 'oriented', order: 'hash-7', state: 'valid' },
      { name: 'weight-ordered-unit-degree-0', kind: 'weight-ordered', order: 'unit-degree-0', state: 'valid' },
    ])
    expect(both.every(({ bytes }) => bytes > 4096)).toBe(true)
    expect(manageViews({ ...made, drop: 'oriented:hash-7' }, quietJob).dropped).toEqual(['oriented-hash-7'])
    expect(manageViews({ ...made, drop: 'all' }, quietJob).dropped).toEqual(['weight-ordered-unit-degree-0'])
    expect(files(made.folder)).toEqual([])
  })

  it.each(['oriented', 'oriented:', 'oriented:column', 'oriented:degree-x', 'weight-ordered:unit-x', 'other:degree'])(
    'refuse the name %s with all that could be meant',
    (build) => {
      const failure = failureOf(() => manageViews({ ...folders.of(graph), build }, quietJob))
      expect(failure).toMatchObject({ code: 'usage', where: build })
      expect(failure.remedy).toMatch(/oriented:degree\|ecl\|hash/)
    },
  )

  it('refuse to drop what is not there, and weights that the graph does not have', () => {
    const made = folders.of(graph)
    expect(failureOf(() => manageViews({ ...made, drop: 'oriented-ecl-0' }, quietJob)).what).toMatch(/no view of this/)
    const weights = failureOf(() => manageViews({ ...made, build: 'weight-ordered:column-hash' }, quietJob))
    expect(weights).toMatchObject({ code: 'usage', what: 'this graph has no weights' })
    expect(weights.remedy).toMatch(/random3/)
  })

  it('of another graph are stale, and built anew at need', () => {
    const made = folders.of(graph)
    prepareView({ ...made, ...outOfCore }, quietJob).view.close()
    const checksum = 'another graph'
    expect(manageViews({ ...made, checksum }, quietJob).views).toMatchObject([{ state: 'stale' }])
    const anew = prepareView({ ...made, ...outOfCore, checksum }, quietJob)
    anew.view.close()
    expect(anew.buildMs).toBeGreaterThan(0)
    expect(manageViews({ ...made, checksum }, quietJob).views).toMatchObject([{ state: 'valid' }])
  })

  it.each([
    ['cut short', (path: string, bytes: Buffer) => truncateSync(path, bytes.length - 1)],
    ['its header gone', (path: string, bytes: Buffer) => writeFileSync(path, bytes.fill(0, 0, 40))],
    [
      'a tail offset changed',
      (path: string, bytes: Buffer) => {
        const header = JSON.parse(bytes.toString('utf8', 0, 4096)) as ViewHeader
        writeFileSync(path, flip(bytes, header.tailOffsets.at))
      },
    ],
  ] as const)('that are damaged are found and built again: %s', (_, damage) => {
    const made = folders.of(graph)
    const { view } = prepareView({ ...made, ...outOfCore }, quietJob)
    view.close()
    const sound = readFileSync(view.path)
    damage(view.path, Buffer.from(sound))
    expect(manageViews({ ...made, check: true }, quietJob).views).toMatchObject([{ state: 'damaged' }])
    const again = prepareView({ ...made, ...outOfCore }, quietJob)
    again.view.close()
    expect(again.buildMs).toBeGreaterThan(0)
    expect(readFileSync(view.path).equals(sound)).toBe(true)
  })

  it('whose entries are damaged are found by a check', () => {
    const made = folders.of(graph)
    const { view } = prepareView({ ...made, ...outOfCore }, quietJob)
    view.close()
    writeFileSync(view.path, flip(readFileSync(view.path), 5000))
    expect(manageViews(made, quietJob).views).toMatchObject([{ state: 'valid' }])
    expect(manageViews({ ...made, check: true }, quietJob).views).toMatchObject([{ state: 'damaged' }])
  })

  it('leave nothing behind when they are cancelled, whatever the step', () => {
    const phases = new Set<string>()
    prepareView(
      { ...folders.of(graph), ...outOfCore },
      { ...quietJob, progress: ({ phase }) => phases.add(phase) },
    ).view.close()
    expect([...phases]).toEqual(['rank', 'route arcs', 'build view'])
    for (const phase of phases)
      for (const threads of [1, 2]) {
        const made = folders.of(graph)
        const failure = failureOf(() => prepareView({ ...made, ...outOfCore, threads }, stoppedIn(phase)))
        expect(failure.code).toBe('cancelled')
        expect(manageViews(made, quietJob).views).toEqual([])
        mkdirSync(join(made.folder, 'views'), { recursive: true })
        expect(files(made.folder)).toEqual([])
      }
  })

  it('refuse a budget below the state of the vertices, with both figures', () => {
    const failure = failureOf(() => prepareView({ ...folders.of(graph), ...outOfCore, budgetBytes: 30_000 }, quietJob))
    expect(failure.code).toBe('usage')
    expect(failure.what).toMatch(/needs 0\.1 MiB of memory for \d+ vertices, and 0\.0 MiB/)
    expect(failure.remedy).toMatch(/--memory/)
  })

  it('of killed programs are swept, those of living ones are not', () => {
    const made = folders.of(graph)
    mkdirSync(join(made.folder, 'views'))
    // No system gives this number to a process.
    for (const pid of [2 ** 31 - 2, process.pid])
      writeFileSync(join(made.folder, 'views', `x.view.partial-${pid}-a`), '')
    manageViews(made, quietJob)
    expect(files(made.folder)).toEqual([`x.view.partial-${process.pid}-a`])
  })
})

function flip(bytes: Buffer, at: number): Buffer {
  bytes[at]! ^= 1
  return bytes
}

function stoppedIn(phase: string): JobContext {
  const signal = { aborted: false }
  return {
    signal,
    log: () => {},
    progress: (progress) => {
      signal.aborted ||= progress.phase === phase
    },
  }
}
