import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inputName } from '../../../electron/library/leftovers.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { ImportArgs } from '../../../workers/contract/jobs.ts'
import { pathFacts } from '../library/fixtures.ts'
import { WiredService } from './wired-service.ts'

const wired = new WiredService()
const dead = spawnSync(process.execPath, ['-e', '']).pid
const datasets = (): string => join(wired.library.folder, 'datasets')

/** What an import of this file leaves whose program was killed. */
function interrupted(source: string, name = 'mesh'): void {
  const scratch = join(datasets(), `${name}-1.import`)
  mkdirSync(scratch)
  const args = { source, folder: join(datasets(), `${name}-1`), datasetName: name, keepScratch: true }
  const manifest = { pid: dead, startedAt: '2026-11-21T09:36:01.000Z', args, stages: { parse: {} } }
  writeFileSync(join(scratch, 'manifest.json'), JSON.stringify(manifest))
}

const made = ({ folder }: ImportArgs): ReturnType<typeof pathFacts> => {
  mkdirSync(folder)
  return pathFacts()
}

test('of two who resume one import the second is told who does so, and the first ends well', async () => {
  interrupted('/graphs/mesh.txt')
  const held = Promise.withResolvers<void>()
  wired.runner.answers.import = async (args) => held.promise.then(() => made(args))
  const first = wired.service.call('datasets.resume', {})
  await expect.poll(() => wired.runner.asked).toHaveLength(1)
  await expect(wired.service.call('datasets.resume', { which: 'mesh' })).rejects.toMatchObject({
    code: 'usage',
    where: 'mesh',
    what: `process ${process.pid} is resuming this at the moment`,
  })
  // Nor can it be cleaned away meanwhile.
  expect((await wired.service.call('datasets.clean', {})).removed).toEqual([])
  held.resolve()
  expect((await first).dataset).toMatchObject({ name: 'mesh' })
  expect(wired.runner.asked).toHaveLength(1)
  expect(await wired.service.call('datasets.resume', { which: 'mesh' })).toEqual({ dataset: null })
})

test('an import goes on as it was asked for, or is refused', async () => {
  interrupted('/graphs/mesh.txt')
  wired.runner.answers.import = async (args) => made(args)
  for (const asked of [{ ignoreWeights: true }, { merge: 'sum' }, { table: { where: 'w>=2' } }] as const)
    await expect(wired.service.call('datasets.resume', { asked })).rejects.toMatchObject({
      code: 'usage',
      what: expect.stringMatching(/asked for with another (ignoreWeights|merge|where)/),
    })
  const { dataset } = await wired.service.call('datasets.resume', { asked: { merge: undefined, table: {} } })
  expect(dataset).toMatchObject({ name: 'mesh' })
})

test('a resume that fails gives the import back', async () => {
  interrupted('/graphs/mesh.txt')
  wired.runner.answers.import = async () => {
    throw new Failure({ code: 'engine', what: 'the engine died', remedy: 'Run it again.' })
  }
  await expect(wired.service.call('datasets.resume', {})).rejects.toMatchObject({ code: 'engine' })
  wired.runner.answers.import = async (args) => made(args)
  expect((await wired.service.call('datasets.resume', {})).dataset).toMatchObject({ name: 'mesh' })
})

test.each([
  ['fault', {}, []],
  ['fault', { parse: {} }, []],
  ['engine', {}, []],
  ['engine', { parse: {} }, ['IMPORT']],
] as const)('an import that ends by %s after the stages %o leaves %o', async (code, stages, left) => {
  wired.runner.answers.import = async (args) => {
    mkdirSync(`${args.folder}.import`, { recursive: true })
    const manifest = { pid: dead, startedAt: '2026-11-21T09:36:01.000Z', args, stages }
    writeFileSync(join(`${args.folder}.import`, 'manifest.json'), JSON.stringify(manifest))
    throw new Failure({ code, what: 'it died', remedy: 'Run it again.' })
  }
  await expect(wired.importPath()).rejects.toMatchObject({ code })
  expect(readdirSync(datasets()).map((name) => name.replace(/^.*\.import$/, 'IMPORT'))).toEqual(left)
})

test('what was piped in is resumed by the name of its dataset, and goes then', async () => {
  const source = join(datasets(), inputName())
  writeFileSync(source, '1 2\n2 3\n')
  interrupted(source)
  const { remainders } = await wired.service.call('datasets.remainders', {})
  expect(remainders).toMatchObject([{ name: 'mesh', source: 'standard input' }])
  wired.runner.answers.import = async (args) => {
    expect(existsSync(args.source)).toBe(true)
    return made(args)
  }
  await wired.service.call('datasets.resume', { which: 'mesh' })
  expect(wired.runner.asked.at(-1)).toMatchObject({ args: { source, resume: true } })
  expect(readdirSync(datasets())).toEqual(['mesh-1'])
})

test('what was piped in goes when its remainder is cleaned away', async () => {
  const source = join(datasets(), inputName())
  writeFileSync(source, '1 2\n2 3\n')
  interrupted(source)
  expect((await wired.service.call('datasets.clean', {})).removed).toHaveLength(1)
  expect(readdirSync(datasets())).toEqual([])
})

test.each(['import', 'resume'] as const)(
  'an %s whose engine had to be killed over a cancel leaves nothing',
  async (how) => {
    wired.runner.answers.import = async ({ folder }) => {
      mkdirSync(`${folder}.import`, { recursive: true })
      mkdirSync(`${folder}.partial-${dead}-ab`)
      throw new Failure({ code: 'cancelled', what: 'cancelled', remedy: 'Start it again.' })
    }
    if (how === 'resume') interrupted('/graphs/mesh.txt')
    const end = how === 'import' ? wired.importPath() : wired.service.call('datasets.resume', {})
    await expect(end).rejects.toMatchObject({ code: 'cancelled' })
    expect(readdirSync(datasets())).toEqual([])
  },
)

test.each([
  ['is kept', false],
  ['that was cancelled before is not', true],
] as const)('what an import did that ends with the program %s', async (_what, isCancelled) => {
  const closing = Promise.withResolvers<void>()
  wired.runner.answers.import = async ({ folder }) => {
    mkdirSync(`${folder}.import`)
    await closing.promise
    throw new Failure({ code: 'cancelled', what: 'cancelled', remedy: 'Start it again.' })
  }
  wired.runner.close = async () => closing.resolve()
  const signal = { aborted: false }
  const asked = wired.service.call('datasets.import', { source: 'mesh.txt' }, { ...quietJob, signal })
  const end = expect(asked).rejects.toMatchObject({ code: 'cancelled' })
  await expect.poll(() => readdirSync(datasets())).toHaveLength(1)
  signal.aborted = isCancelled
  await wired.service.close()
  await end
  expect(readdirSync(datasets())).toHaveLength(isCancelled ? 0 : 1)
})

test.skipIf(process.platform === 'win32')('a pipe is refused before anybody waits for its other end', async () => {
  await wired.importPath()
  const pipe = join(wired.folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const run = { dataset: 'path', algorithm: 'ecl-mis', device: 'cpu:0', priority: 'degree', seed: 1 } as const
  const { asked } = wired.runner
  asked.length = 0
  for (const call of [
    wired.service.call('datasets.import', { source: pipe, name: 'piped' }),
    wired.service.call('datasets.import', { source: 'a.txt', sources: [pipe], name: 'piped' }),
    wired.service.call('datasets.preview', { source: pipe }),
    wired.service.call('plan', { ...run, target: pipe, verify: false }),
    wired.service.call('verify', { of: 'path', set: pipe }),
    wired.service.call('verify', { of: 'path', pairs: pipe }),
    wired.service.call('verify', { of: 'path', set: 'set.txt', exclude: pipe }),
    wired.service.call('runs.start', { request: { ...run, verify: false, keepFile: pipe } }),
  ])
    await expect(call).rejects.toMatchObject({ code: 'input', where: pipe, what: expect.stringContaining('a pipe') })
  expect(asked).toEqual([])
})
