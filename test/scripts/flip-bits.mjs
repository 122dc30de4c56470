// Flips one bit at a time in the files of a library (graphs, labels, coordinates, names, results, checkpoints, tiles, records, the database), and asks
// for answers and proofs: each must be that of the sound library, or a refusal with the exit code that the contract has for it. What the command line
// can be asked is asked of the built program itself as well. Needs /proc (Linux), Node 24 and the built program (npm run build).
//   node test/scripts/flip-bits.mjs [--times 2000] [--seed 1] [--only database] [--commands-every 1]
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { Library } from '../../electron/library/library.ts'
import { Service } from '../../electron/service/service.ts'
import { endOfCall, endOfCommand, ofFailure } from './flip-ends.mjs'
import { kindOf, makeLibrary, questionsOf, stoppedRuns } from './flip-questions.mjs'
import { interruptedRuns } from './flip-resumes.mjs'
import { drawsFrom } from '../support/attacks.mjs'
import { ServiceInProcess } from '../support/service-in-process.mjs'

const options = {
  times: { type: 'string', default: '2000' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
  'commands-every': { type: 'string', default: '1' },
}
const { times, seed, only, 'commands-every': every } = parseArgs({ options }).values
const random = drawsFrom(seed)
const oneOf = (list) => list[random(list.length)]

const host = new ServiceInProcess()
const { library } = host
const made = await makeLibrary(host)
const output = join(host.folder, 'out')
const stopped = await stoppedRuns(host, join(host.folder, 'stopped'))
const resumed = await interruptedRuns(host.folder, stopped)
const questions = [...questionsOf(host.service, made, output), ...stopped, ...resumed]
const soundCall = new Map()
const soundCommand = new Map()
for (const question of questions) await askSound(question)

/** Keeps what the sound library answers; a call and a command are each compared with their own. */
async function askSound(question) {
  const { name, answer, sound, restore, command, expected } = question
  if (answer !== undefined) soundCall.set(name, sound ?? (await answer()))
  if (restore !== undefined) {
    restore()
    const gone = await answer()
    if (gone !== sound) throw new Error(`${name}: ${gone}`)
  }
  if (command === undefined) return
  const { end, words } = await endOfCommand(question, 'none', expected, library.folder)
  if (end === 'hung' || end === 'fault' || (expected !== undefined && end !== 'same'))
    throw new Error(`${name}: ${end} ${words}`)
  soundCommand.set(name, expected ?? (await textOf(question)))
  await forget(question)
}

async function textOf(question) {
  let text
  const command = { ...question.command, text: (document) => (text = question.command.text(document)) }
  await endOfCommand({ command }, 'none', '', library.folder)
  return text
}

/** Runs that commands made are taken out again: the list of runs stays as it was. */
async function forget({ command }) {
  if (command.words[0] !== 'run' || command.library !== undefined) return
  const known = new Set(made.map(({ id }) => id))
  for (const { id } of (await host.service.call('runs.list', {})).runs)
    if (!known.has(id)) await host.service.call('runs.remove', { run: id })
}

/** Files by kind. */
const files = {}
const kept = [
  ...made.map(({ id }) => library.runFolder(id)),
  join(library.folder, 'datasets'),
  join(host.folder, 'stopped'),
  join(host.folder, 'interrupted', 'runs'),
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

const counts = {}
const exits = {}
function count(kind, { end, exit, words }, where, by) {
  const row = (counts[kind] ??= { flips: 0, commands: 0, same: 0, refused: 0, wrong: 0, hung: 0, fault: 0 })
  row[end]++
  row.commands += by === 'command' ? 1 : 0
  const codes = (exits[by] ??= {})
  codes[exit ?? end] = (codes[exit ?? end] ?? 0) + 1
  if (end !== 'same' && end !== 'refused') console.log(end, kind, by, where, words)
}

let asked = 0
/** Both ends of a question: its call, and, every few times, its command where it has one. */
async function ask(kind, question, where, folder) {
  if (question.answer !== undefined)
    count(kind, await endOfCall(question, kind, soundCall.get(question.name)), where, 'service')
  if (question.command === undefined || (question.answer !== undefined && asked++ % Number(every) !== 0)) return
  count(kind, await endOfCommand(question, kind, soundCommand.get(question.name), folder), where, 'command')
  if (folder === library.folder) await forget(question)
}

const place = (bytes) => (random(3) === 0 ? random(Math.min(64, bytes.length)) : random(bytes.length))
const flipped = (bytes, at) => bytes.with(at, bytes[at] ^ (1 << random(8)))
const rounds = only === undefined ? Math.round(Number(times) / (Object.keys(files).length + 1)) : Number(times)
for (const [kind, paths] of Object.entries(files).filter(([each]) => each === (only ?? each)))
  for (let i = 0; i < rounds; i++) {
    const path = oneOf(paths)
    const question = oneOf(questions.filter((each) => concerns(each, kind, path)))
    question.restore?.()
    const bytes = readFileSync(path)
    const at = place(bytes)
    writeFileSync(path, flipped(bytes, at))
    await ask(kind, question, `${relative(host.folder, path)} byte ${at}, ${question.name}`, library.folder)
    writeFileSync(path, bytes)
    counts[kind].flips++
    if (i === rounds - 1) console.log(kind, JSON.stringify(counts[kind]))
  }

// The database: a copy beside the same files, opened anew each time.
const database = new DatabaseSync(join(library.folder, 'library.sqlite'))
database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
database.close()
const bytes = readFileSync(join(library.folder, 'library.sqlite'))
/** Most of a small database is room that was never used. */
const used = [...bytes.keys()].filter((at) => bytes[at] !== 0)
const copy = join(host.folder, 'copy')
/** SQLite sums nothing: a name or a figure in a list may be another, which no answer or proof depends on. */
const LISTED = 'database, listed otherwise'
for (const words of [['datasets'], ['runs']]) await askSound(listing(words))
function listing(words) {
  return { name: `list ${words}`, command: { words, text: JSON.stringify } }
}

for (let i = 0; i < rounds && ['database', undefined].includes(only); i++) {
  mkdirSync(copy)
  for (const name of ['datasets', 'runs']) symlinkSync(join(library.folder, name), join(copy, name))
  const at = random(4) === 0 ? place(bytes) : oneOf(used)
  writeFileSync(join(copy, 'library.sqlite'), flipped(bytes, at))
  const isListing = i % 4 === 0
  const [kind, where] = ['database', `library.sqlite byte ${at}`]
  if (isListing) await askListing(listing(oneOf([['datasets'], ['runs']])), where)
  else await askCopy(kind, where)
  counts[kind].flips++
  rmSync(copy, { recursive: true })
}

async function askListing(question, where) {
  const end = await endOfCommand(question, 'database', soundCommand.get(question.name), copy)
  const isOther = end.end === 'wrong'
  count(isOther ? LISTED : 'database', isOther ? { ...end, end: 'same' } : end, `${where}, ${question.name}`, 'command')
}

async function askCopy(kind, where) {
  let opened
  let name = 'open'
  try {
    opened = Library.open(copy)
    const service = new Service({ library: opened, runner: host.pool })
    const question = oneOf(
      questionsOf(service, made, output).filter((each) => /^(verify|export|degrees|search|run|graph)/.test(each.name)),
    )
    name = question.name
    // What a command adds to the copy goes with it.
    await ask(kind, question, `${where}, ${name}`, copy)
  } catch (error) {
    count(kind, ofFailure(error), `${where}, ${name}`, 'service')
  } finally {
    closeOr((error) => count(kind, { end: 'fault', words: error.message }, `${where}, close`, 'service'), opened)
  }
}

function closeOr(fail, opened) {
  try {
    opened?.close()
  } catch (error) {
    fail(error)
  }
}

console.table(counts)
console.table(exits)
const all = Object.values(counts)
const sum = (end) => all.reduce((total, row) => total + row[end], 0)
const ends = ['flips', 'commands', 'same', 'refused', 'wrong', 'hung', 'fault'].map((end) => `${end} ${sum(end)}`)
console.log(ends.join(', '))
if (sum('wrong') + sum('hung') + sum('fault') > 0) process.exitCode = 1
await host.close()
