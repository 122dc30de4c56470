// Flips one bit at a time in the files of a library, and asks for answers and proofs: each must be that of the sound library, or a refusal. Needs Node 24
// and the built program (npm run build).
//   node resources/scripts/flip-bits.mjs [--times 2000] [--seed 1]
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { Library } from '../../electron/library/library.ts'
import { ServiceInProcess } from './service-in-process.mjs'

const PATIENCE_MS = 20_000
/** Codes that a person is told to mend something for; others would be faults of Anticlique. */
const REFUSALS = new Set(['input', 'usage', 'storage', 'verification'])
const options = { times: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } }
const { times, seed } = parseArgs({ options }).values
let state = Number(seed)
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

const host = new ServiceInProcess()
const { service, library } = host
const edges = Array.from({ length: 4000 }, (_, i) => `v${random(900)} v${random(900)} ${1 + (i % 9)}`).join('\n')
const source = join(host.folder, 'edges.txt')
writeFileSync(source, edges)
await service.call('datasets.import', { source, name: 'named' })
await host.generate({ model: 'rmat', scale: 10, edgeFactor: 8, name: 'plain' })
const made = []
for (const dataset of ['named', 'plain'])
  for (const more of [{ algorithm: 'ecl-mis' }, { algorithm: 'ld-gpu' }, { algorithm: 'tc-mis', priority: 'h3' }])
    made.push(await host.wait(await host.start({ dataset, ...more })))
await service.call('datasets.degrees', { name: 'plain' })

/** What is asked for, each with what it answers as text, and in whose folders it may look. */
const output = join(host.folder, 'out')
const asks = made.flatMap((run) => {
  const { id, request } = run
  const { dataset, algorithm, priority } = request ?? run
  return [
    [
      `verify ${id}`,
      async () => JSON.stringify(withoutTimes((await service.call('verify', { of: id })).verdict)),
      [dataset, id],
    ],
    [
      `export ${id}`,
      async () => {
        await service.call('export', { run: id, format: 'csv', output })
        return readFileSync(output, 'utf8')
      },
      [dataset, id],
    ],
    [
      `run ${algorithm} on ${dataset}`,
      async () => {
        const ended = await host.wait(await host.start({ dataset, algorithm, priority }))
        if (ended.state !== 'done') throw Object.assign(new Error(ended.failure?.what), ended.failure)
        return ended.hash
      },
      [dataset],
    ],
  ]
})
asks.push(['degrees', async () => JSON.stringify(await service.call('datasets.degrees', { name: 'plain' })), ['plain']])
const withoutTimes = (verdict) => ({ ...verdict, elapsedMs: 0, ms: 0, time: 0 })
const sound = new Map()
for (const [name, ask] of asks) sound.set(name, await ask())

const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size > 0)
const kept = new Set(made.map(({ id }) => library.runFolder(id)))
const files = [join(library.folder, 'datasets'), ...kept].flatMap(filesOf)
const counts = { same: 0, refused: 0, wrong: 0, hung: 0, fault: 0 }
for (let i = 0; i < Number(times); i++) {
  const path = files[random(files.length)]
  const bytes = readFileSync(path)
  const at = random(3) === 0 ? random(Math.min(64, bytes.length)) : random(bytes.length)
  writeFileSync(path, bytes.with(at, bytes[at] ^ (1 << random(8))))
  const near = asks.filter(([, , places]) => places.some((place) => path.includes(place)))
  const [name, ask] = near[random(near.length)]
  const where = `${relative(library.folder, path)} byte ${at}, ${name}`
  let timer
  const patience = new Promise((resolve) => (timer = setTimeout(() => resolve({ hung: true }), PATIENCE_MS)))
  const end = await Promise.race([
    ask().then(
      (text) => ({ text }),
      (error) => ({ error }),
    ),
    patience,
  ])
  clearTimeout(timer)
  writeFileSync(path, bytes)
  const kind = end.hung
    ? 'hung'
    : end.error
      ? REFUSALS.has(end.error.code)
        ? 'refused'
        : 'fault'
      : end.text === sound.get(name)
        ? 'same'
        : // A result that was changed is no proof of anything, and is said to be none.
          end.text.includes('"verified":false')
          ? 'refused'
          : 'wrong'
  counts[kind]++
  if (!['same', 'refused'].includes(kind))
    console.log(
      kind,
      where,
      end.error?.code ?? '',
      end.error?.message ?? end.error?.what ?? end.text?.slice(0, 200) ?? '',
    )
}
// The database: opened anew each time, and all of it listed.
const copy = join(host.folder, 'copy')
mkdirSync(copy)
const database = readFileSync(join(library.folder, 'library.sqlite'))
const listed = (folder) => {
  const opened = Library.open(folder)
  return JSON.stringify([opened.datasets.list(), opened.runs.list()])
}
for (let i = 0; i < Number(times) / 4; i++) {
  const at = random(database.length)
  writeFileSync(join(copy, 'library.sqlite'), database.with(at, database[at] ^ (1 << random(8))))
  try {
    listed(copy)
    counts.same++
  } catch (error) {
    counts[REFUSALS.has(error.code) ? 'refused' : 'fault']++
    if (!REFUSALS.has(error.code)) console.log('fault', 'library.sqlite', at, error.code, error.message)
  }
  for (const name of readdirSync(copy)) rmSync(join(copy, name), { recursive: true })
}
console.log(`${times} bits in ${files.length} files: ${JSON.stringify(counts)}`)
if (counts.wrong + counts.hung + counts.fault > 0) process.exitCode = 1
await host.close()
