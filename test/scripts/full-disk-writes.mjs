// What writes into a library, each as a call of the service with its answer, and as a command where there is one. For full-disk.mjs.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../workers/base/failure.ts'

/** A table of edges with attributes, one of vertices, and a dataset and runs that are there before. */
export async function makeGraphs(host) {
  const edges = Array.from(
    { length: 3000 },
    (_, i) => `v${(i * 7919) % 401},v${(i * i + i) % 409},${1 + (i % 9)},k${i % 3}`,
  )
  const ids = Array.from({ length: 409 }, (_, i) => `v${i},${i % 4},${i % 7}`)
  const [source, vertices] = [join(host.folder, 'edges.csv'), join(host.folder, 'ids.csv')]
  writeFileSync(source, ['source,target,weight,kind', ...edges].join('\n'))
  writeFileSync(vertices, ['id,group,age', ...ids].join('\n'))
  const asked = { source, vertices, table: { attributes: 'all' } }
  await host.service.call('datasets.import', { ...asked, name: 'kept' })
  await host.generate({ model: 'rmat', scale: 10, edgeFactor: 8, name: 'plain' })
  const copy = join(host.folder, 'plain.gr')
  await host.service.call('datasets.export', { name: 'plain', format: 'galois', output: copy })
  const run = await host.wait(await host.start({ dataset: 'kept' }))
  return { asked, copy, run: run.id }
}

const runs = [
  ['run in batches', { dataset: 'plain', batches: 3, verify: true }],
  ['run of two workers', { dataset: 'plain', algorithm: 'mg-mis', device: 'cpu:0', partitions: 2, exchange: 'paper' }],
  ['run of a matching', { dataset: 'kept', algorithm: 'ld-gpu', quality: 'augment:2', verify: true }],
  ['run with tiles', { dataset: 'plain', algorithm: 'tc-mis', priority: 'h2', verify: true }],
  ['run of a search', { dataset: 'plain', quality: 'best', searchSteps: 2000, verify: true }],
  ['run of colours', { dataset: 'kept', algorithm: 'colouring', priority: 'smallest-last', verify: true }],
  ['run of distances', { dataset: 'kept', algorithm: 'distance-mis', verify: true }],
  ['run of levels', { dataset: 'plain', algorithm: 'bfs', verify: true }],
  ['run of spins', { dataset: 'plain', algorithm: 'spin-glass', sweeps: 30, verify: true }],
]
const flags = {
  algorithm: '--algorithm',
  priority: '--priority',
  batches: '--batches',
  partitions: '--partitions',
  exchange: '--exchange',
  quality: '--quality',
  searchSteps: '--steps',
  sweeps: '--sweeps',
}

/** Each with its name, its answer, and what takes it back. */
export function writesOf(host, { asked, copy, run }) {
  const { service } = host
  const remove = (name) => async () => {
    const { datasets } = await service.call('datasets.list', {})
    if (datasets.some((dataset) => dataset.name === name)) await service.call('datasets.remove', { name })
  }
  const checksum = async (call, args) => (await service.call(call, args)).dataset.checksum
  const imports = [
    ['import of a table', { ...asked, name: 'new' }],
    ['import through the disk', { ...asked, name: 'new', memoryBytes: 1 << 20, threads: 1 }],
    ['import of a binary file', { source: copy, name: 'new' }],
    ['import of a link', { source: copy, name: 'new', link: 'always' }],
  ].map(([name, args]) => ({
    name,
    call: () => checksum('datasets.import', args),
    undo: remove('new'),
    words: [
      'import',
      args.source,
      '--name',
      'new',
      ...(args.vertices === undefined ? [] : ['--vertices', args.vertices, '--attributes', 'all']),
      ...(args.link === undefined ? [] : ['--link']),
    ],
  }))
  const computed = runs.map(([name, options]) => ({ name, ...ofRun(host, run, options) }))
  const output = join(host.folder, 'exported')
  const exported = (name, call, args, words) => ({
    name,
    call: async () => {
      await service.call(call, { ...args, output })
      return readFileSync(output, 'latin1')
    },
    words: [...words, '--output', join(host.folder, 'exported-by-command')],
  })
  const exports = ['csv', 'parquet', 'npy'].map((format) =>
    exported(`export as ${format}`, 'export', { run, format }, ['export', run, '--format', format]),
  )
  const small = (name, call, args, undo) => ({
    name,
    call: async () =>
      JSON.stringify(await service.call(call, args), (key, value) => (/At$|Until$/.test(key) ? 0 : value)),
    undo: undo === undefined ? undefined : () => service.call(...undo),
  })
  return [
    ...imports,
    {
      name: 'pack',
      before: async () => void (await checksum('datasets.import', { source: copy, name: 'new' })),
      call: () => checksum('datasets.pack', { name: 'new' }),
      undo: remove('new'),
    },
    {
      name: 'store',
      before: async () => void (await checksum('datasets.import', { source: copy, name: 'new', link: 'always' })),
      call: () => checksum('datasets.store', { name: 'new' }),
      undo: remove('new'),
    },
    {
      name: 'generate',
      call: () => checksum('datasets.generate', { model: 'grid', rows: 40, columns: 50, seed: 1, name: 'new' }),
      undo: remove('new'),
    },
    ...computed,
    resumed(host, run),
    ...exports,
    exported('export of a graph', 'datasets.export', { name: 'kept', format: 'metis' }, [
      ...['datasets', 'export', 'kept', '--format', 'metis'],
    ]),
    small('degrees', 'datasets.degrees', { name: 'plain' }),
    small('settings', 'settings.set', { settings: { theme: 'dark', defaultMemoryBytes: 1 << 30 } }, [
      'settings.set',
      { settings: { theme: 'light', defaultMemoryBytes: null } },
    ]),
    small('rename', 'datasets.tag', { name: 'plain', tags: ['a', 'b'] }, ['datasets.tag', { name: 'plain', tags: [] }]),
    small('annotate', 'runs.annotate', { run, note: 'n'.repeat(9000) }, ['runs.annotate', { run, note: '' }]),
  ]
}

async function answerOf(host, run) {
  const ended = await host.wait(run)
  if (ended.state !== 'done') throw new Failure(ended.failure)
  return `${ended.hash} ${ended.record?.outcome?.verification?.verified}`
}

/** All but the one that was there before. */
async function removeRuns(host, kept) {
  for (const { id } of (await host.service.call('runs.list', {})).runs)
    if (id !== kept) await host.service.call('runs.remove', { run: id })
}

function ofRun(host, kept, options) {
  const { dataset, verify } = options
  const asked = Object.entries(options).filter(([name]) => name in flags)
  const words = asked.flatMap(([name, value]) => [flags[name], String(value)])
  return {
    call: async () => answerOf(host, await host.start({ checkpointEveryMs: 0, ...options })),
    undo: () => removeRuns(host, kept),
    words: ['run', dataset, '--devices', 'cpu:0', ...words, ...(verify ? ['--verify'] : [])],
  }
}

/** A run that was cancelled goes on. */
function resumed(host, kept) {
  const options = { dataset: 'plain', batches: 40, quality: 'swap:200', checkpointEveryMs: 0 }
  return {
    name: 'resume',
    before: async () => {
      for (;;) {
        const run = await host.start(options)
        const stop = host.service.listen(({ type }) => {
          if (type === 'progress') void host.service.call('runs.cancel', { run: run.id })
        })
        const { state } = await host.wait(run)
        stop()
        if (state === 'cancelled') return run
        await removeRuns(host, kept)
      }
    },
    call: async (run) => {
      await host.service.call('runs.resume', { run: run.id })
      return answerOf(host, run)
    },
    undo: () => removeRuns(host, kept),
  }
}
