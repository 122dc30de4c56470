import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { calls } from '../../../electron/contract/calls.ts'
import { Workbench } from '../engine/workbench.ts'
import { ContractClient, type Way } from './contract-client.ts'
import { ElectronPort } from './electron-port.ts'
import { direct, overPort, overSocket, served } from './hosts.ts'

const electron = vi.hoisted(() => ({ port: null as unknown }))
vi.mock('electron', async () => {
  const { ElectronPort: Port } = await import('./electron-port.ts')
  return (electron.port = new Port())
})

interface Place {
  readonly bench: Workbench
  readonly way: Way
  close(): Promise<void>
}

const hosts: readonly { readonly name: string; open(): Promise<Place> }[] = [
  {
    name: 'the service itself',
    open: async () => {
      const bench = new Workbench()
      return { bench, way: direct(bench.service), close: () => bench.close() }
    },
  },
  {
    name: 'the window, over a port in memory',
    open: async () => {
      const bench = new Workbench()
      await import('electron')
      const way = await overPort(bench.service, electron.port as ElectronPort)
      return { bench, way, close: () => way.close().then(() => bench.close()) }
    },
  },
  {
    name: 'serve, over HTTP and WebSocket',
    open: async () => {
      const bench = new Workbench()
      const serving = await served(bench.service, join(bench.folder, 'scratch'))
      const way = overSocket(serving)
      return { bench, way, close: () => serving.close().then(() => bench.close()) }
    },
  },
]

/** Two triangles and the path between them. */
const graph = '1 2\n2 3\n3 1\n3 4\n4 5\n5 6\n6 7\n7 5\n'
const request = { dataset: 'six', algorithm: 'ecl-mis', device: 'cpu:0', priority: 'degree', seed: 0 } as const

describe.each(hosts)('$name', ({ name, open }) => {
  let place: Place
  let client: ContractClient
  const file = (): string => join(place.bench.folder, 'six.txt')

  beforeAll(async () => {
    place = await open()
    client = new ContractClient(place.way)
    writeFileSync(file(), graph)
  })
  afterAll(() => place.close())

  test('tells of itself and of the machine', async () => {
    const status = await client.call('library.status', {})
    const shownBy = name.startsWith('serve') ? 'browser' : name.startsWith('the window') ? 'window' : 'program'
    expect(status).toMatchObject({ folder: place.bench.library.folder, datasets: 0, host: shownBy })
    expect((await client.call('algorithms', {})).algorithms.map((entry) => entry.name)).toContain('ecl-mis')
    expect((await client.call('devices', {})).devices.map(({ id }) => id)).toContain('cpu:0')
    expect((await client.call('devices.memory', {})).devices.length).toBeGreaterThan(0)
    expect((await client.call('settings.set', { settings: { theme: 'dark' } })).settings.theme).toBe('dark')
    expect((await client.call('settings.get', {})).settings.theme).toBe('dark')
    const { entries } = await client.call('files.list', { folder: place.bench.folder })
    expect(entries.map((entry) => entry.name)).toContain('six.txt')
    expect(await client.call('datasets.remainders', {})).toEqual({ remainders: [] })
    expect(await client.call('datasets.clean', {})).toEqual({ removed: [] })
    expect(await client.call('datasets.resume', {})).toEqual({ dataset: null })
  })

  test('makes datasets, and tells everybody who listens', async () => {
    const lines = graph.trimEnd().split('\n')
    expect(await client.call('datasets.preview', { source: file() })).toMatchObject({
      format: 'edge-list',
      rows: lines.map((line) => line.split(' ')),
    })
    expect(await client.call('datasets.contents', { source: file() })).toMatchObject({
      container: null,
      graphs: [{ member: null, name: 'six' }],
    })
    const { dataset, reused } = await client.call('datasets.import', { source: file() })
    expect(dataset).toMatchObject({ name: 'six', vertices: 7, arcs: 16 })
    expect(reused).toBe(false)
    await vi.waitFor(() => {
      const told = client.events.filter((event) => event.type === 'dataset-changed' || event.type === 'work-changed')
      expect(told.map(({ type }) => type)).toEqual(expect.arrayContaining(['dataset-changed', 'work-changed']))
    })
    expect((await client.call('datasets.list', {})).datasets).toHaveLength(1)
    expect((await client.call('datasets.get', { name: 'six' })).dataset).toEqual(dataset)
    const { degrees } = await client.call('datasets.degrees', { name: 'six' })
    expect(degrees.reduce((sum, { vertices }) => sum + vertices, 0)).toBe(7)
    const card = (await client.call('work.list', {})).work.find(({ subject }) => subject === 'six')!
    expect(card).toMatchObject({ kind: 'import', state: 'done', result: { dataset: 'six' } })
    await expect(client.call('work.cancel', { id: card.id })).rejects.toMatchObject({ code: 'usage' })
    await client.call('work.dismiss', { id: card.id })
    expect((await client.call('work.list', {})).work.map(({ id }) => id)).not.toContain(card.id)
    const made = await client.call('datasets.generate', { model: 'uniform', vertices: 50, degree: 4, seed: 1 })
    expect(made.dataset.vertices).toBe(50)
    expect((await client.call('datasets.sample', { sample: 'cities', radiusKm: 1 })).dataset.coordinates).toBe(true)
  })

  test('changes datasets, and takes removal back', async () => {
    const [first, second] = ['a', 'b']
    for (const one of [first, second]) await client.call('datasets.import', { source: file(), name: one! })
    await client.call('datasets.tag', { name: 'a', tags: ['old'] })
    const { datasets } = await client.call('datasets.tagMany', { names: ['a', 'b'], add: ['small'], remove: ['old'] })
    expect(datasets.map(({ tags }) => tags)).toEqual([['small'], ['small']])
    expect(await client.call('datasets.store', { name: 'a' })).toMatchObject({ dataset: { linked: null }, bytes: 0 })
    // Six vertices are no smaller when they are packed.
    const unchanged = { dataset: { packedBytes: null }, packedBytes: null, changed: false }
    expect(await client.call('datasets.pack', { name: 'a' })).toMatchObject(unchanged)
    expect(await client.call('datasets.unpack', { name: 'a' })).toMatchObject(unchanged)
    const complement = (await client.call('datasets.complement', { name: 'a', as: 'others' })).dataset
    expect(complement).toMatchObject({ name: 'others', vertices: 7, report: { format: 'complement' } })
    expect(complement.arcs).toBe(7 * 6 - datasets[0]!.arcs)
    await client.call('datasets.remove', { name: 'others', forGood: true })
    expect((await client.call('datasets.rename', { name: 'a', to: 'c' })).dataset.name).toBe('c')
    const { dataset } = await client.call('datasets.remove', { name: 'c' })
    await expect(client.call('datasets.get', { name: 'c' })).rejects.toMatchObject({ code: 'input' })
    expect((await client.call('datasets.restore', { id: dataset.id })).dataset.name).toBe('c')
    expect((await client.call('datasets.removeMany', { names: ['b', 'c'] })).datasets).toHaveLength(2)
    const { removed } = await client.call('datasets.removed', {})
    expect(removed.map(({ name: its }) => its).sort()).toEqual(['b', 'c'])
    expect(await client.call('datasets.discard', {})).toEqual({ removed: [] })
    expect(await client.call('datasets.removed', {})).toEqual({ removed: [] })
  })

  test('plans, computes, verifies and explores', async () => {
    const { plan } = await client.call('plan', { target: 'six', ...request, verify: true })
    expect(plan.refusal).toBeNull()
    const { run } = await client.call('runs.start', { request: { ...request, verify: true }, name: 'first' })
    const { run: ended } = await client.call('runs.wait', { run: run.id })
    expect(ended).toMatchObject({ state: 'done', size: 3 })
    expect((await client.call('runs.list', {})).runs.map(({ id }) => id)).toEqual([run.id])
    expect(await client.call('runs.checkpoint', { run: run.id })).toEqual({ writtenAt: null })
    expect((await client.call('runs.get', { run: 'first' })).run).toEqual(ended)
    expect((await client.call('runs.progress', { run: run.id })).samples.length).toBeGreaterThan(0)
    expect((await client.call('runs.trace', { run: run.id })).lanes.length).toBeGreaterThan(0)
    expect((await client.call('runs.record', { run: run.id })).record.hash).toBe(ended.hash)
    expect((await client.call('verify', { of: run.id })).verdict.verified).toBe(true)
    const found = await client.call('explore.search', { dataset: 'six', text: '4', limit: 5 })
    expect(found.vertices).toMatchObject([{ label: '4', degree: 2 }])
    const counted = await client.call('explore.facts', { dataset: 'six', onlyKept: false })
    expect(counted.facts?.components.largest.length).toBeGreaterThan(0)
    expect(await client.call('explore.facts', { dataset: 'six', onlyKept: true })).toEqual(counted)
    const all = { dataset: 'six', text: '', sort: 'id', down: false, offset: 0, limit: 10 } as const
    expect((await client.call('explore.vertices', all)).total).toBe(7)
    const around = { run: run.id, vertex: '4', hops: 2, limit: 100 }
    const shown = await client.call('explore.neighbourhood', { dataset: 'six', ...around })
    expect(shown.vertices).toHaveLength(7)
    expect(shown.vertices.filter(({ member }) => member)).toHaveLength(3)
    expect(shown).toMatchObject({ centre: '4', truncated: false })
    const whole = await client.call('explore.overview', { dataset: 'six', run: run.id, against: run.id, limit: 100 })
    expect(whole).toMatchObject({ kind: 'whole', vertices: 7, nodes: { both: whole.nodes.members } })
    const opened = await client.call('explore.open', { dataset: 'six', run: run.id, limit: 100, nodes: [0, 1] })
    expect(opened).toMatchObject({ parents: [0, 1], nodes: { labels: whole.nodes.labels.slice(0, 2) } })
    const laid = await client.call('explore.layout', { nodes: 3, sources: [0, 1], targets: [1, 2] })
    expect(laid.x).toHaveLength(3)
    const members = { run: run.id, show: 'in', text: '', sort: 'id', down: false, offset: 0, limit: 10 } as const
    const named = await client.call('explore.result', members)
    expect(named.total).toBe(3)
    expect(named.rows.map(({ label }) => label)).toEqual(
      shown.vertices
        .filter(({ member }) => member)
        .map(({ label }) => label)
        .sort(),
    )
    await expect(client.call('explore.values', { run: run.id })).rejects.toMatchObject({ code: 'usage' })
    const asked = {
      dataset: 'six',
      algorithm: 'connected-components',
      device: 'cpu:0',
      seed: 0,
      verify: false,
    } as const
    const { run: parts } = await client.call('runs.start', { request: asked })
    await client.call('runs.wait', { run: parts.id })
    const spread = await client.call('explore.values', { run: parts.id })
    expect(spread.bars.reduce((sum, { vertices }) => sum + vertices, 0)).toBe(7)
    await client.call('runs.remove', { run: parts.id })
    const shared = { ...members, against: run.id }
    expect((await client.call('explore.result', { ...shared, show: 'both' })).rows).toEqual(named.rows)
    expect((await client.call('explore.result', { ...shared, show: 'only' })).total).toBe(0)
    await expect(client.call('explore.result', { ...members, show: 'both' })).rejects.toMatchObject({ code: 'usage' })
    expect((await client.call('runs.cancel', { run: run.id })).run.state).toBe('done')
    await expect(client.call('runs.resume', { run: run.id })).rejects.toMatchObject({ code: 'usage' })
    await expect(client.call('runs.finish', { run: run.id })).rejects.toMatchObject({ code: 'usage' })
    await expect(client.call('runs.prioritise', { run: run.id, priority: 9 })).rejects.toMatchObject({ code: 'usage' })
    const noted = await client.call('runs.annotate', { run: run.id, note: 'by everyone', starred: true })
    expect(noted.run).toMatchObject({ note: 'by everyone', starred: true })
    expect((await client.call('lists.write', { labels: ['3', '5'] })).path).toMatch(/lists/)
    await expect(client.call('runs.get', { run: 'nothing' })).rejects.toMatchObject({ code: 'input' })
  })

  test('hands results over', async () => {
    const output = join(place.bench.folder, 'set.txt')
    const asked = [
      () => client.call('export', { run: 'first', format: 'ids', output }),
      () => client.call('archive', { run: 'first', output: `${output}.tar` }),
      () => client.call('archive.unpack', { archive: `${output}.tar`, folder: `${output}.unpacked` }),
      () => client.call('datasets.export', { name: 'six', format: 'metis', output: `${output}.graph` }),
      () => client.call('datasets.export', { name: 'six', format: 'graphml', output: `${output}.graphml` }),
    ]
    if (name !== 'the service itself')
      for (const ask of asked) await expect(ask()).rejects.toMatchObject({ code: 'usage', where: expect.any(String) })
    else {
      for (const ask of asked) await ask()
      expect(readFileSync(output, 'utf8').trim().split('\n')).toHaveLength(3)
      expect(readFileSync(`${output}.graphml`, 'utf8').match(/<node /g)).toHaveLength(7)
    }
  })

  test('a download goes to where the person is', async () => {
    const wanted = { what: 'result', run: 'first', format: 'ids' } as const
    if (name === 'the service itself') {
      await expect(client.call('export.download', { request: wanted })).rejects.toMatchObject({ code: 'usage' })
      return
    }
    const folder = join(place.bench.folder, 'taken')
    mkdirSync(folder)
    const port = electron.port as ElectronPort
    port.saveTo = join(folder, 'mine.txt')
    const text = { what: 'text', fileName: '../../chart.svg', text: '<svg/>' } as const
    const [result, chart] = [
      await client.call('export.download', { request: wanted }),
      await client.call('export.download', { request: text }),
    ]
    if (result.how === 'download' && chart.how === 'download') {
      expect(result.downloads).toEqual([expect.objectContaining({ bytes: 6 })])
      expect(chart.downloads.map(({ fileName }) => fileName)).toEqual(['chart.svg'])
    } else {
      expect(result).toEqual({ how: 'saved', files: [port.saveTo, `${port.saveTo}.run.json`] })
      port.saveTo = null
      expect(await client.call('export.download', { request: wanted })).toEqual({ how: 'cancelled' })
    }
  })

  test('only the window asks for files', async () => {
    const asked = client.call('files.choose', { title: 'Graphs' })
    if (name.startsWith('the window')) expect(await asked).toEqual({ paths: ['/chosen/graph.txt'] })
    else await expect(asked).rejects.toMatchObject({ code: 'usage', where: 'files.choose' })
  })

  test.each([
    ['an unknown method', 'runs.explode', {}],
    ['a method of every object', 'toString', {}],
    ['no name at all', null, {}],
    ['arguments of a wrong shape', 'runs.start', { request: { dataset: 7 } }],
    ['no arguments', 'runs.get', null],
    ['a number that is out of range', 'explore.neighbourhood', { dataset: 'six', vertex: null, hops: 99, limit: 5 }],
    ['a message of 20 MB', 'runs.get', { run: 'x'.repeat(20e6) }],
    ['twenty million bytes in small pieces', 'datasets.removeMany', { names: Array(2.5e6).fill('abcdef') }],
  ])('%s is refused, and the next call works', async (_words, method, args) => {
    const reply = await place.way.raw(method, args)
    expect(reply.ok).toBe(false)
    if (!reply.ok) expect(['usage', 'lost']).toContain(reply.failure.code)
    expect((await client.call('datasets.list', {})).datasets.map((dataset) => dataset.name)).toContain('six')
    expect((await client.call('runs.list', {})).runs).toHaveLength(1)
  })

  test('cancels what takes long', async () => {
    const measured = client.call('devices.benchmark', {}).catch((error: unknown) => error)
    const { work } = await client.call('work.list', {})
    const { id } = work.find(({ kind }) => kind === 'benchmark')!
    await client.call('work.cancel', { id })
    expect(await measured).toMatchObject({ code: 'cancelled' })
  })

  test('what is left is removed; every call of the contract was made', async () => {
    await client.call('runs.remove', { run: 'first' })
    expect((await client.call('runs.list', {})).runs).toEqual([])
    expect([...client.called].sort()).toEqual(Object.keys(calls).sort())
  })
})
