// Flips one bit at a time in the files of a library (graphs, labels, coordinates, names, results, checkpoints, tiles, records, the database), and asks
// for answers and proofs: each must be that of the sound library, or a refusal. Needs Node 24 and the built program (npm run build).
//   node test/scripts/flip-bits.mjs [--times 2000] [--seed 1]
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { Library } from '../../electron/library/library.ts'
import { Service } from '../../electron/service/service.ts'
import { kindOf, makeLibrary, questionsOf, stoppedRuns } from './flip-questions.mjs'
import { ServiceInProcess } from '../support/service-in-process.mjs'

const PATIENCE_MS = 20_000
/** Codes of failures that the command line ends with 2 or 3 for; others would be faults of Anticlique. */
const REFUSALS = new Set(['input', 'usage', 'storage', 'verification'])
const options = { times: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } }
const { times, seed } = parseArgs({ options }).values
let state = Number(seed)
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
const oneOf = (list) => list[random(list.length)]

const host = new ServiceInProcess()
const { library } = host
const made = await makeLibrary(host)
const output = join(host.folder, 'out')
const questions = [
  ...questionsOf(host.service, made, output),
  ...(await stoppedRuns(host, join(host.folder, 'stopped'))),
]
const sound = new Map()
for (const question of questions) {
  sound.set(question.name, question.sound ?? (await question.answer()))
  if (question.restore === undefined) continue
  question.restore()
  const resumed = await question.answer()
  if (resumed !== question.sound) throw new Error(`${question.name}: ${resumed}`)
}

/** Files by kind. */
const files = {}
const kept = [
  ...made.map(({ id }) => library.runFolder(id)),
  join(library.folder, 'datasets'),
  join(host.folder, 'stopped'),
]
for (const { restore } of questions) restore?.()
for (const folder of kept)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const kind = entry.isFile() && statSync(path).size > 0 ? kindOf(basename(path)) : null
    if (kind !== null && questions.some((question) => concerns(question, kind, path))) (files[kind] ??= []).push(path)
  }

function concerns({ reads, places }, kind, path) {
  return reads.includes(kind) && places.some((place) => path.includes(place))
}

/** What came of a question, beside the answer of the sound library. */
async function endOf({ name, answer }) {
  let timer
  const patience = new Promise((resolve) => (timer = setTimeout(() => resolve({ hung: true }), PATIENCE_MS)))
  const answered = answer().then(
    (text) => ({ text }),
    (error) => ({ error }),
  )
  const end = await Promise.race([answered, patience])
  clearTimeout(timer)
  if (end.hung) return ['hung', '']
  if (end.error) return [REFUSALS.has(end.error.code) ? 'refused' : 'fault', `${end.error.code} ${end.error.message}`]
  if (end.text === sound.get(name)) return ['same', '']
  // A result that was changed is no proof of anything, and is said to be none; of a damaged course nothing is shown.
  const isNone = end.text.includes('"verified":false') || ['{"samples":[]}', '{"lanes":[]}'].includes(end.text)
  return [isNone ? 'refused' : 'wrong', end.text.slice(0, 200)]
}

const counts = {}
function count(kind, end, where, words) {
  const row = (counts[kind] ??= { flips: 0, same: 0, refused: 0, wrong: 0, hung: 0, fault: 0 })
  row.flips++
  row[end]++
  if (end !== 'same' && end !== 'refused') console.log(end, where, words)
}

const place = (bytes) => (random(3) === 0 ? random(Math.min(64, bytes.length)) : random(bytes.length))
const flipped = (bytes, at) => bytes.with(at, bytes[at] ^ (1 << random(8)))
const rounds = Math.round(Number(times) / (Object.keys(files).length + 1))
for (const [kind, paths] of Object.entries(files))
  for (let i = 0; i < rounds; i++) {
    const path = oneOf(paths)
    const question = oneOf(questions.filter((each) => concerns(each, kind, path)))
    question.restore?.()
    const bytes = readFileSync(path)
    const at = place(bytes)
    writeFileSync(path, flipped(bytes, at))
    const [end, words] = await endOf(question)
    writeFileSync(path, bytes)
    count(kind, end, `${relative(host.folder, path)} byte ${at}, ${question.name}`, words)
  }

// The database: a copy beside the same files, opened anew each time.
const database = new DatabaseSync(join(library.folder, 'library.sqlite'))
database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
database.close()
const bytes = readFileSync(join(library.folder, 'library.sqlite'))
const copy = join(host.folder, 'copy')
for (let i = 0; i < rounds; i++) {
  mkdirSync(copy)
  for (const name of ['datasets', 'runs']) symlinkSync(join(library.folder, name), join(copy, name))
  const at = place(bytes)
  writeFileSync(join(copy, 'library.sqlite'), flipped(bytes, at))
  let name = 'open'
  let opened
  try {
    opened = Library.open(copy)
    const service = new Service({ library: opened, runner: host.pool })
    const proofs = questionsOf(service, made, output).filter((each) =>
      /^(verify|export|degrees|search)/.test(each.name),
    )
    const listing = { name: 'list', answer: async () => listOf(opened) }
    sound.set('list', listOf(library))
    const question = i % 4 === 0 ? listing : oneOf(proofs)
    name = question.name
    const [end, words] = await endOf(question)
    // SQLite sums nothing: a name or a figure in a list may be another, which no answer or proof depends on.
    count(
      name === 'list' && end === 'wrong' ? 'database, listed otherwise' : 'database',
      name === 'list' && end === 'wrong' ? 'same' : end,
      `library.sqlite byte ${at}, ${name}`,
      words,
    )
  } catch (error) {
    count(
      'database',
      REFUSALS.has(error.code) ? 'refused' : 'fault',
      `library.sqlite byte ${at}, ${name}`,
      `${error.code} ${error.message}`,
    )
  } finally {
    try {
      opened?.close()
    } catch (error) {
      count('database', 'fault', 'close', error.message)
    }
    rmSync(copy, { recursive: true })
  }
}

function listOf(library) {
  return JSON.stringify([library.datasets.list(), library.runs.list()])
}

console.table(counts)
const all = Object.values(counts)
const sum = (end) => all.reduce((total, row) => total + row[end], 0)
const ends = ['flips', 'same', 'refused', 'wrong', 'hung', 'fault'].map((end) => `${end} ${sum(end)}`)
console.log(ends.join(', '))
if (sum('wrong') + sum('hung') + sum('fault') > 0) process.exitCode = 1
await host.close()
