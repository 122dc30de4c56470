// Kills the command, its engine or a `serve` with SIGKILL at random moments of imports, runs, exports, and datasets that are packed, stored or removed. Then the
// library is opened: it is whole, nothing is left over but what can be resumed, and the work done again or resumed has the answer that it always has.
// Needs /proc (Linux), Node 24 and the built program (npm run build).
//   node test/scripts/kill-anything.mjs [--times 100] [--seed 1] [--only pack]
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import WebSocket from 'ws'
import { Library } from '../../electron/library/library.ts'
import { Service } from '../../electron/service/service.ts'
import { drawsFrom } from '../support/attacks.mjs'
import { launcher } from '../support/command-case.mjs'
import { libraryFaults } from '../support/library-faults.mjs'
import { ServiceInProcess } from '../support/service-in-process.mjs'
import { engineOf, isAlive, pause, until } from './streamed-run.mjs'

const options = {
  times: { type: 'string', default: '100' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
}
const { times, seed, only } = parseArgs({ options }).values
const random = drawsFrom(seed)
const oneOf = (list) => list[random(list.length)]
const GONE_MS = 20_000

// The graphs are made once; then other processes alone have the library open.
const host = new ServiceInProcess()
const place = host.library.folder
await host.generate({ model: 'rmat', scale: 14, edgeFactor: 8, name: 'kept' })
const [text, binary] = ['kept.csv', 'kept.gr'].map((name) => join(host.folder, name))
await host.service.call('datasets.export', { name: 'kept', format: 'edge-list', output: text })
await host.service.call('datasets.export', { name: 'kept', format: 'galois', output: binary })
const kept = await host.wait(await host.start({ dataset: 'kept' }))
const output = join(host.folder, 'out', 'set.csv')
host.library.close()

/** Opens the library as the next program does, a day later: what is young may be of a program that lives. */
async function opened(work) {
  for (const id of readdirSync(join(place, 'runs'))) utimesSync(join(place, 'runs', id), 0, 0)
  const library = Library.open(place)
  const service = new Service({ library, runner: host.pool })
  try {
    return await work(service)
  } finally {
    library.close()
  }
}

const request = { dataset: 'kept', algorithm: 'ecl-mis', device: 'cpu:0', priority: 'degree', seed: 0, verify: true }
const long = { ...request, batches: 9, quality: 'swap:9', checkpointEveryMs: 0 }
const checksum = async (answer) => (await answer).dataset.checksum
const has = async (service, name) =>
  (await service.call('datasets.list', {})).datasets.some((each) => each.name === name)
const removed = async (service, name) => {
  if (await has(service, name)) await service.call('datasets.remove', { name })
}
const linked = async (service) => {
  if (!(await has(service, 'new')))
    await service.call('datasets.import', { source: binary, name: 'new', link: 'always' })
}
const settled = async (service, { id }) => {
  const { run } = await service.call('runs.wait', { run: id })
  return `${run.state} ${run.hash}`
}

/** Each: what is there before, the call and the command that are killed, the answer when it is done to its end afterwards, and what takes it back. */
const works = {
  import: {
    call: ['datasets.import', { source: text, name: 'new', memoryBytes: 1 << 20 }],
    words: ['import', text, '--name', 'new', '--memory', '1MiB'],
    finish: async (service) => {
      const { datasets } = await service.call('datasets.list', {})
      const there = datasets.find(({ name }) => name === 'new')
      const { remainders } = await service.call('datasets.remainders', {})
      if (there !== undefined) return there.checksum
      if (remainders.some(({ source }) => source !== null))
        return checksum(service.call('datasets.resume', { which: 'new' }))
      if (remainders.length > 0) await service.call('datasets.clean', {})
      return checksum(service.call(...works.import.call))
    },
    undo: (service) => removed(service, 'new'),
  },
  run: {
    call: ['runs.start', { request: long }],
    words: [
      'run',
      'kept',
      '--devices',
      'cpu:0',
      '--batches',
      '9',
      '--quality',
      'swap:9',
      '--checkpoint',
      '0',
      '--verify',
    ],
    finish: async (service) => {
      const run = (await service.call('runs.list', {})).runs.find(({ id }) => id !== kept.id)
      if (run === undefined) return settled(service, (await service.call(...works.run.call)).run)
      if (run.state !== 'done') await service.call('runs.resume', { run: run.id })
      return settled(service, run)
    },
    undo: async (service) => {
      for (const { id } of (await service.call('runs.list', {})).runs)
        if (id !== kept.id) await service.call('runs.remove', { run: id })
    },
  },
  export: {
    call: ['export', { run: kept.id, format: 'csv', output }],
    words: ['export', kept.id, '--format', 'csv', '--output', output],
    finish: async (service) => {
      const before = existsSync(output) ? readFileSync(output, 'utf8') : null
      await service.call(...works.export.call)
      const after = readFileSync(output, 'utf8')
      if (before !== null && before !== after) return 'half a set under its name'
      const names = readdirSync(join(output, '..'))
      return names.length === 2 ? after : `beside it: ${names}`
    },
    undo: () => rmSync(join(output, '..'), { recursive: true }),
  },
  pack: {
    before: async (service) => {
      if (!(await has(service, 'new'))) await service.call('datasets.import', { source: binary, name: 'new' })
    },
    call: ['datasets.pack', { name: 'new' }],
    words: ['datasets', 'pack', 'new'],
    finish: async (service) => {
      const { dataset, packedBytes } = await service.call('datasets.pack', { name: 'new' })
      const run = { ...request, dataset: 'new', priority: 'hash' }
      return `${dataset.checksum} ${packedBytes} ${await settled(service, (await service.call('runs.start', { request: run })).run)}`
    },
    undo: async (service) => {
      for (const { id } of (await service.call('runs.list', {})).runs)
        if (id !== kept.id) await service.call('runs.remove', { run: id })
      await removed(service, 'new')
    },
  },
  store: {
    before: linked,
    call: ['datasets.store', { name: 'new' }],
    words: ['datasets', 'store', 'new'],
    finish: (service) => checksum(service.call('datasets.store', { name: 'new' })),
    undo: (service) => removed(service, 'new'),
  },
  remove: {
    before: linked,
    call: ['datasets.remove', { name: 'new' }],
    words: ['datasets', 'remove', 'new'],
    finish: async (service) => {
      await removed(service, 'new')
      return readdirSync(join(place, 'datasets'))
        .filter((name) => /^new/.test(name))
        .join()
    },
    undo: async () => {},
  },
}

function started(words) {
  const child = spawn(process.execPath, [launcher, '--library', place, '--json', ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.ended = new Promise((resolve) => child.on('close', resolve))
  return child
}

/** A `serve` of its own that has just been asked. */
async function served([name, args]) {
  const child = started(['serve'])
  const line = await new Promise((resolve) => child.stdout.once('data', resolve))
  const { port, searchParams } = new URL(JSON.parse(line).url)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, ['anticlique', `token.${searchParams.get('token')}`])
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ id: 1, name, args }))
  return child
}

/** Starts the work and kills a part of it; whether there was something to kill. */
async function killed({ call, words }, victim, ms) {
  const child = victim === 'serve' ? await served(call) : started(words)
  if (victim === 'engine') await Promise.race([until(() => engineOf(child.pid), GONE_MS, 'an engine'), child.ended])
  await pause(ms)
  const engine = engineOf(child.pid)
  const target = victim === 'engine' ? engine : child.pid
  const isThere = target !== undefined && isAlive(target) && child.exitCode === null
  if (isThere) process.kill(target, 'SIGKILL')
  if (victim === 'serve' && !isThere) process.kill(child.pid, 'SIGKILL')
  await child.ended
  await until(() => engine === undefined || !isAlive(engine), GONE_MS, 'no engine is left behind')
  return isThere
}

/** What each is answered with, and how long it takes as a command. */
const sound = {}
const chosen = Object.entries(works).filter(([name]) => name.includes(only))
for (const [name, work] of chosen) {
  await opened((service) => work.before?.(service))
  const startMs = performance.now()
  await started(work.words).ended
  const wholeMs = performance.now() - startMs
  sound[name] = { wholeMs, answer: await opened(work.finish) }
  await opened(work.undo)
}

const counts = {}
let good = 0
for (let i = 0; i < Number(times);) {
  const [name, work] = oneOf(chosen)
  const victim = oneOf(['command', 'engine', 'serve'])
  await opened((service) => work.before?.(service))
  const ms = random(sound[name].wholeMs * (victim === 'command' ? 1 : 0.6))
  const wasThere = await killed(work, victim, ms)
  const faults = await opened(async (service) => {
    const faults = await libraryFaults(place, service, { datasets: ['kept'], runs: [kept.id] })
    const answer = await work.finish(service).catch((error) => `${error.code}: ${error.message}`)
    if (answer !== sound[name].answer) faults.push(`${answer.slice(0, 200)} for ${sound[name].answer.slice(0, 200)}`)
    faults.push(...(await libraryFaults(place, service, { datasets: ['kept'], runs: [kept.id] })))
    const { verdict } = await service.call('verify', { of: kept.id })
    return verdict.verified ? faults : [...faults, 'the run before is not verified']
  })
  await opened(work.undo)
  if (!wasThere && faults.length === 0) continue
  i++
  counts[name] = { command: 0, engine: 0, serve: 0, ...counts[name] }
  counts[name][victim]++
  if (faults.length === 0) good++
  else console.log(`${victim} of ${name} after ${ms} ms: ${faults.join('; ')}`)
}
console.table(counts)
console.log(
  `${good} of ${times} kills: the library whole, the work done or resumed with the same answer, nothing left over`,
)
if (good < Number(times)) process.exitCode = 1
await host.pool.close()
rmSync(host.folder, { recursive: true })
