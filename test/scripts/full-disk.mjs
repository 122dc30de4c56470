// Lets the disk get full at every write of imports, runs, checkpoints, exports and settings, one after the other: each ends with a failure of storage or
// with the whole answer, the service lives, nothing else in the library changes and nothing is left over; with room again the same call has its answer.
// Every few of them as a command as well. Linux, with cc, Node 24 and the built program (npm run build).
//   node test/scripts/full-disk.mjs [--only run] [--every 1] [--commands-every 10]
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { asKnownFailure } from '../../electron/cli/failure-text.ts'
import { Library } from '../../electron/library/library.ts'
import { Service } from '../../electron/service/service.ts'
import { inPatience } from '../support/attacks.mjs'
import { commandCase } from '../support/command-case.mjs'
import { libraryFaults } from '../support/library-faults.mjs'
import { ServiceInProcess } from '../support/service-in-process.mjs'
import { makeGraphs, writesOf } from './full-disk-writes.mjs'

const options = {
  only: { type: 'string', default: '' },
  every: { type: 'string', default: '1' },
  'commands-every': { type: 'string', default: '10' },
}
const { only, every, 'commands-every': commandsEvery } = parseArgs({ options }).values
const PATIENCE_MS = 180_000
const NEVER = 0

/** The numbers that the library of full-disk.c shares; it counts again from 0. */
function setFull(path, at) {
  const numbers = new BigInt64Array([0n, BigInt(at)])
  const file = openSync(path, 'r+')
  writeSync(file, new Uint8Array(numbers.buffer), 0, 16, 0)
}

function writesSoFar(path) {
  const numbers = new BigInt64Array(2)
  readSync(openSync(path, 'r'), new Uint8Array(numbers.buffer), 0, 16, 0)
  return Number(numbers[0])
}

if (process.env.FULL_STATE === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'full-disk-'))
  const shim = join(folder, 'full-disk.so')
  const source = fileURLToPath(new URL('full-disk.c', import.meta.url))
  execFileSync('cc', ['-O2', '-fPIC', '-shared', '-o', shim, source, '-ldl'])
  const state = join(folder, 'state')
  writeFileSync(state, new Uint8Array(16))
  const disk = join(folder, 'disk/')
  const env = { ...process.env, TMPDIR: disk, FULL_STATE: state, FULL_UNDER: disk, LD_PRELOAD: shim }
  execFileSync('mkdir', [disk])
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit', env })
  rmSync(folder, { recursive: true })
  process.exit(status ?? 1)
}

const state = process.env.FULL_STATE
const host = new ServiceInProcess()
const { service, library } = host
const graphs = await makeGraphs(host)
const counts = {}

/** What is wrong with the library when there is room again. */
async function wrongIn(kept) {
  const { remainders } = await service.call('datasets.remainders', {})
  const wrong = await libraryFaults(library.folder, service, kept)
  if (remainders.length > 0) wrong.push(`remainders ${JSON.stringify(remainders)}`)
  for (const run of kept.runs)
    if (!(await service.call('verify', { of: run })).verdict.verified) wrong.push(`${run} is not verified`)
  return wrong
}

function ended(call) {
  const done = call().then(
    (text) => ({ end: 'done', text }),
    (error) => {
      const { code, fixes = [] } = asKnownFailure(error).toValue()
      return { end: code, text: `${error.message}`, isKept: fixes.some(({ action }) => action === 'resume-import') }
    },
  )
  return inPatience(done, PATIENCE_MS, { end: 'hung' })
}

function count(name, end, wrong, at) {
  const row = (counts[name] ??= { writes: 0, done: 0, storage: 0, wrong: 0 })
  row.writes++
  if (end.end in row) row[end.end]++
  const all = [...(['done', 'storage'].includes(end.end) ? [] : [`${end.end} ${end.text}`]), ...wrong]
  if (all.length === 0) return
  row.wrong++
  console.log(`${name}, write ${at}: ${all.join('; ')}`)
}

const resumed = async () => (await service.call('datasets.resume', { which: 'new' })).dataset.checksum

/** One call again and again, with a disk that is full from its first write on, from its second, and so forth. */
async function fullAtEvery({ name, before, call, undo, words }) {
  const given = await before?.()
  setFull(state, NEVER)
  const sound = await call(given)
  const writes = writesSoFar(state)
  await undo?.(given)
  for (let at = 1; at <= writes; at += Number(every)) {
    const given = await before?.()
    const kept = await present()
    setFull(state, at)
    const end = await ended(() => call(given))
    setFull(state, NEVER)
    // An import that lacks nothing but its row is resumed, and nothing of it is left then.
    const wrong = end.isKept ? [] : await wrongIn(kept)
    if (end.end === 'done' && end.text !== sound) wrong.push(`answered ${end.text} for ${sound}`)
    if (end.end !== 'done') {
      const again = await ended(() => (end.isKept ? resumed() : call(given)))
      if (again.text !== sound) wrong.push(`then ${again.end} ${again.text} for ${sound}`)
    }
    if (end.isKept) wrong.push(...(await wrongIn({ ...kept, datasets: [...kept.datasets, 'new'] })))
    count(name, end, wrong, at)
    await undo?.(given)
    if (words !== undefined && at % Number(commandsEvery) === 1) await asCommand(name, words, at)
  }
}

async function present() {
  const datasets = (await service.call('datasets.list', {})).datasets.map(({ name }) => name)
  const runs = (await service.call('runs.list', {})).runs.filter((run) => run.state === 'done').map(({ id }) => id)
  return { datasets, runs }
}

/** Runs in a copy of the library, with a disk that is full from the start of the program on, or a little later. */
async function asCommand(name, words, at) {
  const place = join(host.folder, 'copy')
  cpSync(library.folder, place, { recursive: true })
  const own = join(host.folder, 'state')
  writeFileSync(own, new Uint8Array(16))
  setFull(own, at)
  const env = { FULL_STATE: own, FULL_UNDER: host.folder }
  const end = await commandCase(words, { library: place, env })
  const isRefused = end.code === 2 && end.document?.error?.code === 'storage'
  const wrong = [...end.breaches, ...(end.code === 0 || isRefused ? [] : [end.stderr])]
  const opened = Library.open(place)
  const after = new Service({ library: opened, runner: host.pool })
  const kept = { datasets: ['kept', 'plain'], runs: [graphs.run] }
  // An import that lacks nothing but its row is resumed, as that of a call is.
  if (end.document?.error?.fixes?.some(({ action }) => action === 'resume-import')) {
    const again = await ended(() => after.call('datasets.resume', { which: 'new' }))
    if (again.end === 'done') kept.datasets.push('new')
    else wrong.push(`then ${again.end} ${again.text}`)
  }
  wrong.push(...(await libraryFaults(place, after, kept)))
  opened.close()
  count(`${name}, command`, { end: end.isHung ? 'hung' : end.code === 0 ? 'done' : 'storage' }, wrong, at)
  rmSync(place, { recursive: true })
}

for (const write of writesOf(host, graphs)) {
  if (!write.name.startsWith(only)) continue
  await fullAtEvery(write)
  console.log(write.name, JSON.stringify(counts[write.name]))
}
console.table(counts)
const all = Object.values(counts)
const sum = (end) => all.reduce((total, row) => total + row[end], 0)
console.log(['writes', 'done', 'storage', 'wrong'].map((end) => `${end} ${sum(end)}`).join(', '))
if (sum('wrong') > 0) process.exitCode = 1
await host.close()
