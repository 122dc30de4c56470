import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Run, RunRequest } from '../../../electron/contract/run.ts'
import { Workbench } from './workbench.ts'
import { devicesHere } from '../../support/devices-here.ts'

const set = { algorithm: 'ecl-mis' } as const
const matching = { algorithm: 'ld-gpu', weights: 'random3' } as const

let bench: Workbench
/** An .egr file of several pieces. */
let sound: Buffer
const hashes = new Map<string, string>()
const imported = new Map<string, string | null>()
let files = 0

beforeAll(async () => {
  bench = new Workbench()
  await bench.generate('graph', { model: 'rmat', scale: 14, edgeFactor: 24 })
  const output = join(bench.folder, 'graph.egr')
  await bench.service.call('datasets.export', { name: 'graph', format: 'egr', output })
  sound = readFileSync(output)
  for (const request of [set, matching])
    hashes.set(request.algorithm, (await bench.run({ dataset: 'graph', ...request })).hash!)
})
afterAll(() => bench.close())

/** A run that begins with nothing but a file. */
async function runOf(bytes: Uint8Array, request: Partial<RunRequest>, type = 'egr'): Promise<Run> {
  const dataset = `file-${files++}`
  const source = join(bench.folder, `${dataset}.${type}`)
  writeFileSync(source, bytes)
  return bench.wait(await bench.start({ dataset, ...request }, 0, source))
}

/** What a run on the imported file ends with on a processor, hence on any device; null where it cannot be imported. */
async function afterImport(bytes: Uint8Array, request: Partial<RunRequest>): Promise<string | null> {
  const name = `imported-${files++}`
  const source = join(bench.folder, `${name}.egr`)
  writeFileSync(source, bytes)
  try {
    await bench.service.call('datasets.import', { source, name })
  } catch {
    return null
  }
  return (await bench.run({ dataset: name, ...request })).hash
}

const word = (at: number, value: number): Buffer => {
  const bytes = Buffer.from(sound)
  bytes.writeUInt32LE(value, 4 * at)
  return bytes
}
const vertices = () => sound.readUInt32LE(0)
const arcs = () => sound.readUInt32LE(4)
/** Words of an .egr file before its targets. */
const head = () => 3 + vertices()

describe.each(devicesHere)('on %s', (device) => {
  it.each([set, matching])('a run of a file is that of its dataset ($algorithm)', async (request) => {
    const run = await runOf(sound, { device, ...request })
    expect(run).toMatchObject({ state: 'done', failure: null, hash: hashes.get(request.algorithm) })
    const { dataset } = await bench.service.call('datasets.get', { name: run.dataset })
    expect(dataset).toMatchObject({ id: run.datasetId, arcs: arcs(), linked: expect.stringMatching(/\.egr$/) })
    expect(run.record).toMatchObject({
      dataset: { checksum: dataset.checksum },
      outcome: { verification: { verified: true } },
    })
    const again = await bench.run({ dataset: dataset.name, device, ...request })
    expect(again.hash).toBe(run.hash)
  })

  it.each<readonly [string, () => Buffer]>([
    ['an arc without its reverse', () => word(head() + 300_000, sound.readUInt32LE(4 * (head() + 300_000)) ^ 1)],
    ['a neighbour past the last vertex', () => word(head() + 500_000, 0xffffffff)],
    ['a list that ends before it begins', () => word(3 + 9000, 1)],
    ['a list that ends behind the file', () => word(3 + 10_000, 0x7fffffff)],
    ['a last list that is too short', () => word(2 + vertices(), arcs() - 5)],
    [
      'two halves exchanged',
      () =>
        Buffer.concat([
          sound.subarray(0, 4 * head()),
          sound.subarray(4 * head() + 2 * arcs()),
          sound.subarray(4 * head(), 4 * head() + 2 * arcs()),
        ]),
    ],
  ])('of a file with %s only what an import makes of it is told', async (what, bytes) => {
    for (const request of [set, matching]) {
      const key = `${what}, ${request.algorithm}`
      if (!imported.has(key)) imported.set(key, await afterImport(bytes(), request))
      const expected = imported.get(key)
      const run = await runOf(bytes(), { device, ...request })
      if (expected === null)
        expect(run).toMatchObject({ state: 'failed', hash: null, record: null, failure: { code: 'input' } })
      else expect(run).toMatchObject({ failure: null, state: 'done', hash: expected })
    }
  })
})

it('a file that is no such graph is imported', async () => {
  const run = await runOf(Buffer.from('0 1\n1 2\n'), set)
  expect(run).toMatchObject({ state: 'done', size: 2 })
})

it('a name that is taken is refused', async () => {
  const source = join(bench.folder, 'graph.egr')
  const run = await bench.wait(await bench.start({ dataset: 'graph' }, 0, source))
  expect(run).toMatchObject({ state: 'failed', failure: { code: 'input', what: expect.stringContaining('already') } })
})

it('is cancelled with its check, and leaves no dataset but a whole one', async () => {
  const source = join(bench.folder, 'cancelled.egr')
  writeFileSync(source, sound)
  const run = await bench.start({ dataset: 'cancelled' }, 0, source)
  const { run: ended } = await bench.service.call('runs.cancel', { run: run.id })
  if (ended.state === 'done') return
  expect(ended.state).toBe('cancelled')
  const { datasets } = await bench.service.call('datasets.list', {})
  // The check may have been over a moment before.
  if (!datasets.some(({ name }) => name === 'cancelled')) return
  expect((await bench.run({ dataset: 'cancelled', ...set })).hash).toBe(hashes.get('ecl-mis'))
})
