// What is asked of a library whose files are damaged: each question with what it reads, and in which datasets and runs. For flip-bits.mjs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from '../../electron/pool/pool.ts'
import { Failure } from '../../workers/base/failure.ts'
import { enginePath } from '../support/service-in-process.mjs'

/** What bits are flipped in, by the name of the file; FILE.sums count as their file does. */
const kinds = [
  ['graph', /^graph\.(gr|packed)$/],
  ['labels', /^labels$/],
  ['coordinates', /^coordinates/],
  ['names', /^names/],
  ['attributes', /\.arrow$/],
  ['result', /^(set\.bits|mates|pairs|values)$/],
  ['checkpoint', /^states\.checkpoint$/],
  ['tiles', /\.tiles$/],
  ['degrees', /^(degrees|facts)\.json$/],
  ['record', /^(record|report|progress|trace)\.json$/],
]
export const kindOf = (name) => kinds.find(([, pattern]) => pattern.test(name.replace(/\.sums$/, '')))?.[0] ?? null

const untimed = (verdict) => ({ ...verdict, elapsedMs: 0, ms: 0, time: 0 })
const algorithms = [{ algorithm: 'ecl-mis' }, { algorithm: 'ld-gpu' }, { algorithm: 'tc-mis', priority: 'h3' }]
/** Asked of one dataset alone: what reads attributes, and what makes values. */
const ofNamed = [
  { algorithm: 'mg-mis', excludeWhere: "group = 'A' and age >= 3" },
  { algorithm: 'ecl-mis', priority: 'column', columnName: 'age' },
  { algorithm: 'distance-mis' },
  { algorithm: 'colouring', priority: 'smallest-last' },
  { algorithm: 'k-core' },
  { algorithm: 'b-suitor', columnName: 'age' },
  { algorithm: 'connected-components' },
  { algorithm: 'bfs-tree', root: 'v1' },
  { algorithm: 'eccentricities' },
  { algorithm: 'spin-glass' },
]
const flags = {
  priority: '--priority',
  columnName: '--attribute',
  excludeWhere: '--exclude-where',
  root: '--root',
}
const city = { vertex: '2950159', hops: 1, limit: 50 }

/** Makes three datasets (text labels, weights and attributes; none, and packed; places and names) and their runs. */
export async function makeLibrary(host) {
  const { service } = host
  const random = (below) => Math.floor(Math.random() * below)
  const edges = Array.from({ length: 4000 }, (_, i) => `v${random(900)},v${random(900)},${1 + (i % 9)},kind ${i % 3}`)
  const ids = Array.from({ length: 900 }, (_, i) => `v${i},${i % 4 === 0 ? 'A' : 'B'},${i % 7}`)
  const [source, vertices] = [join(host.folder, 'edges.csv'), join(host.folder, 'ids.csv')]
  writeFileSync(source, ['source,target,weight,kind', ...edges].join('\n'))
  writeFileSync(vertices, ['id,group,age', ...ids].join('\n'))
  await service.call('datasets.import', { source, name: 'named', vertices, table: { attributes: 'all' } })
  await host.generate({ model: 'rmat', scale: 10, edgeFactor: 8, name: 'plain' })
  const { packedBytes } = await service.call('datasets.pack', { name: 'plain' })
  if (packedBytes === null) throw new Error('no graph is packed')
  await service.call('datasets.sample', { sample: 'cities', radiusKm: 2, name: 'cities' })
  const made = []
  for (const dataset of ['named', 'plain', 'cities'])
    for (const more of dataset === 'named' ? [...algorithms, ...ofNamed] : algorithms) {
      const run = await host.wait(await host.start({ dataset, ...more }))
      if (run.state !== 'done') throw new Failure(run.failure)
      made.push(run)
    }
  for (const name of ['named', 'plain', 'cities']) await service.call('datasets.degrees', { name })
  return made
}

/**
 * Each question as a call of the service (`answer`) and, where the command line has it, as a command: its words, and what of its document is
 * the answer.
 * @param service that of the sound library, or one over a copy of it
 */
export function questionsOf(service, made, output) {
  const questions = []
  const ask = (name, reads, places, answer, words, text) =>
    questions.push({ name, reads, places, answer, command: words && { words, text } })
  const written = `${output}-by-command`
  const ofFile = () => readFileSync(written, 'utf8')
  const call = (name, args) => async () => JSON.stringify(await service.call(name, args))
  for (const { id, request } of made) {
    const { dataset, algorithm } = request
    const options = Object.fromEntries(
      Object.keys(flags).flatMap((name) => (name in request ? [[name, request[name]]] : [])),
    )
    const places = [`datasets/${dataset}-`, id]
    ask(
      `verify ${id}`,
      ['graph', 'labels', 'result'],
      places,
      async () => {
        const { verdict } = await service.call('verify', { of: id })
        return JSON.stringify(untimed(verdict))
      },
      ['verify', id],
      (document) => JSON.stringify(untimed({ ...document, set: '' })),
    )
    ask(
      `export ${id}`,
      ['labels', 'attributes', 'result'],
      places,
      async () => {
        await service.call('export', { run: id, format: 'csv', output })
        return readFileSync(output, 'utf8')
      },
      ['export', id, '--format', 'csv', '--output', written],
      ofFile,
    )
    ask(`neighbourhood ${id}`, ['graph', 'labels', 'coordinates', 'names', 'result'], places, () =>
      call('explore.neighbourhood', {
        dataset,
        run: id,
        ...(dataset === 'cities' ? city : { ...city, vertex: null }),
      })(),
    )
    ask(`record of ${id}`, ['record'], [id], call('runs.record', { run: id }), ['runs', 'show', id], JSON.stringify)
    ask(`progress of ${id}`, ['record'], [id], call('runs.progress', { run: id }))
    ask(`timeline of ${id}`, ['record'], [id], call('runs.trace', { run: id }))
    ask(
      `run ${algorithm} on ${dataset} as ${id}`,
      ['graph', 'attributes', 'tiles'],
      places.slice(0, 1),
      async () => {
        const whole = { dataset, algorithm, ...options, device: 'cpu:0', seed: 0, verify: true }
        const { run } = await service.call('runs.start', { request: whole })
        const ended = (await service.call('runs.wait', { run: run.id })).run
        await service.call('runs.remove', { run: run.id })
        if (ended.state !== 'done') throw new Failure(ended.failure)
        return ended.hash
      },
      [
        'run',
        dataset,
        '--algorithm',
        algorithm,
        ...Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [flags[name], value])),
        '--devices',
        'cpu:0',
        '--verify',
      ],
      (document) => `${document.result.hash} ${document.verified}`,
    )
  }
  for (const dataset of ['named', 'plain', 'cities']) {
    const places = [`datasets/${dataset}-`]
    ask(`degrees of ${dataset}`, ['graph', 'degrees'], places, call('datasets.degrees', { name: dataset }))
    ask(`facts of ${dataset}`, ['graph', 'degrees'], places, call('explore.facts', { dataset, onlyKept: false }))
    ask(
      `report of ${dataset}`,
      ['record'],
      places,
      call('datasets.get', { name: dataset }),
      ['datasets', 'show', dataset],
      JSON.stringify,
    )
    const text = dataset === 'cities' ? 'Berl' : '1'
    ask(
      `search in ${dataset}`,
      ['labels', 'names', 'graph'],
      places,
      call('explore.search', { dataset, text, limit: 20 }),
    )
    ask(
      `graph of ${dataset}`,
      ['graph', 'labels'],
      places,
      async () => {
        await service.call('datasets.export', { name: dataset, format: 'edge-list', output })
        return readFileSync(output, 'utf8')
      },
      ['datasets', 'export', dataset, '--format', 'edge-list', '--output', written],
      ofFile,
    )
  }
  return questions
}

/** The phase in which runs are stopped, and what was asked of them. */
const stops = [
  ['swap', { algorithm: 'ecl-mis', quality: 'swap:20' }],
  ['augment', { algorithm: 'ld-gpu', weights: 'random3', quality: 'augment:20' }],
  ['match', { algorithm: 'ld-gpu', weights: 'unit', ties: 'id' }],
  ['round', { algorithm: 'tc-mis', priority: 'h2', seeds: 5 }],
  ['sweep', { algorithm: 'mg-mis', exchange: 'paper', device: 'cpu:0,cpu:1' }],
]

/** Runs that were stopped with a checkpoint: to resume each is a question. Jobs of the engine, whose files lie beside the library. */
export async function stoppedRuns(host, folder) {
  const { datasets } = host.library
  await host.generate({ model: 'grid', rows: 190, columns: 210, name: 'grid' })
  const place = host.library.place(datasets.get('grid'))
  const questions = []
  for (const [i, [phase, options]] of stops.entries()) {
    const checkpointFile = join(folder, `${i}`, 'states.checkpoint')
    const fixed = { device: 'cpu:0', priority: 'degree', seed: 0, verify: true, checkpointEveryMs: 0, checkpointFile }
    const args = { ...place, ...fixed, ...options, resultFile: join(folder, `${i}`, 'result') }
    const whole = await host.pool.run('run', args, { signal: { aborted: false }, progress() {}, log() {} })
    if (!(await stopped(args, phase))) throw new Error(`${options.algorithm} left no checkpoint in ${phase}`)
    const bytes = readFileSync(checkpointFile)
    questions.push({
      name: `resume ${options.algorithm} in ${phase}`,
      reads: ['checkpoint'],
      places: [join(folder, `${i}`)],
      options,
      checkpoint: bytes,
      restore: () => writeFileSync(checkpointFile, bytes),
      sound: whole.result.hash,
      answer: async () => {
        const job = { signal: { aborted: false }, progress() {}, log() {} }
        return (await host.pool.run('run', { ...args, resume: true }, job)).result.hash
      },
    })
  }
  return questions
}

/** Kills the engine of a run behind the first word of a phase, until one leaves a checkpoint. */
async function stopped(args, phase) {
  for (let k = 0; k < 60; k++) {
    const pool = new Pool({ enginePath })
    const kill = () => pool.enginePid && process.kill(pool.enginePid, 'SIGKILL')
    const progress = (step) => {
      if (step.phase === phase) setTimeout(kill, 2 * (k % 30))
    }
    const end = await pool.run('run', args, { signal: { aborted: false }, progress, log() {} }).catch((error) => error)
    await pool.close()
    if (end.code === 'engine' && existsSync(args.checkpointFile)) return true
  }
  return false
}
