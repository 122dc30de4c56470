// Damages files of every format in all sorts of ways, and imports them: each becomes a dataset, or is refused with what and where. Needs Node 24 and the
// built program (npm run build).
//   node test/scripts/fuzz-imports.mjs [--times 2000] [--seed 1] [--from test/fixtures]
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { ServiceInProcess } from '../support/service-in-process.mjs'

const PATIENCE_MS = 30_000
const MOST_BYTES = 300_000
const REFUSALS = new Set(['input', 'usage', 'storage'])
const options = {
  times: { type: 'string', default: '2000' },
  seed: { type: 'string', default: '1' },
  from: { type: 'string', multiple: true, default: ['test/fixtures'] },
}
const { times, seed, from } = parseArgs({ options }).values
let state = Number(seed)
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

/** Ways to damage bytes. */
const ways = {
  flip: (bytes) => {
    const damaged = Buffer.from(bytes)
    for (let i = random(8); i >= 0; i--) damaged[random(damaged.length)] ^= 1 << random(8)
    return damaged
  },
  'in its head': (bytes) => {
    const damaged = Buffer.from(bytes)
    for (let i = random(3); i >= 0; i--) damaged[random(Math.min(64, damaged.length))] = random(256)
    return damaged
  },
  cut: (bytes) => bytes.subarray(0, random(bytes.length)),
  longer: (bytes) => Buffer.concat([bytes, Buffer.from(Array.from({ length: 1 + random(40) }, () => random(256)))]),
  twice: (bytes) => {
    const at = random(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(random(at + 1))])
  },
  zeros: (bytes) => {
    const at = random(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(random(100)), bytes.subarray(at)])
  },
  'as gzip': (bytes) => ways.flip(gzipSync(bytes)),
}

const isSmall = (path) => statSync(path).size > 0 && statSync(path).size < MOST_BYTES
const bases = from
  .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => isSmall(path) && !/\.(md|json|ts)$/.test(path))
const host = new ServiceInProcess()
const counts = { imported: 0, refused: 0, hung: 0, fault: 0 }
for (let i = 0; i < Number(times); i++) {
  const base = bases[random(bases.length)]
  const names = Object.keys(ways)
  const way = names[random(names.length)]
  const source = join(
    host.folder,
    `${way === 'as gzip' ? 'gz-' : ''}${basename(base)}${way === 'as gzip' ? '.gz' : ''}`,
  )
  const damaged = ways[way](readFileSync(base))
  writeFileSync(source, damaged)
  let timer
  const patience = new Promise((resolve) => (timer = setTimeout(() => resolve({ hung: true }), PATIENCE_MS)))
  const ask = host.service.call('datasets.import', { source, name: `d${i}` })
  const end = await Promise.race([
    ask.then(
      () => ({}),
      (error) => ({ error }),
    ),
    patience,
  ])
  clearTimeout(timer)
  const { error } = end
  const kind = end.hung ? 'hung' : error === undefined ? 'imported' : REFUSALS.has(error.code) ? 'refused' : 'fault'
  counts[kind]++
  if (kind === 'imported') await host.service.call('datasets.remove', { name: `d${i}` })
  if (kind === 'hung' || kind === 'fault') {
    console.log(kind, base, way, error?.code ?? '', error?.what ?? error?.message ?? '')
    writeFileSync(join('/tmp', `fuzz-${seed}-${i}-${basename(source)}`), damaged)
  }
}
console.log(`${times} damaged files of ${bases.length}: ${JSON.stringify(counts)}`)
if (counts.hung + counts.fault > 0) process.exitCode = 1
await host.close()
