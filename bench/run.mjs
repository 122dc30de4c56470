// Measures what docs/results.md tells: one case of bench/cases.mjs, printed as a table, or with --json as one document.
// Needs the built program (npm run build) and the Node that npm puts first:
//   npm run bench                                             lists the cases and their options
//   npm run bench -- kernels --graphs rmat21x48 --repeats 3   runs one
//   npm run bench -- answers --library DIR --json             keeps the graphs it makes in DIR; raw rows
// --scale-down K makes every generated graph 2^K times smaller.
import { spawnSync } from 'node:child_process'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { cases } from './cases.mjs'
import { Program, root } from './program.mjs'
import { tableOf } from './table.mjs'

const common = { library: '', 'scale-down': '0' }

/** What the cases are, as text. */
function overview() {
  const optionText = (options) =>
    Object.entries(options)
      .map(([name, value]) => `--${name} ${value || '...'}`)
      .join(' ')
  const entries = Object.entries(cases).map(
    ([name, { question, options }]) => `${name}: ${question}\n    ${optionText(options)}`,
  )
  return `usage: npm run bench -- CASE [options] [--library DIR] [--scale-down K] [--json]\n\n${entries.join('\n')}`
}

/** The options of one case, those left out by their defaults. @throws TypeError for one that the case does not have */
function optionsOf({ options }, args) {
  const all = { ...common, ...options }
  const texts = Object.entries(all).map(([name, standard]) => [name, { type: 'string', default: standard }])
  const { values } = parseArgs({
    args,
    options: { ...Object.fromEntries(texts), json: { type: 'boolean', default: false } },
  })
  return values
}

/** The machine and versions of a measurement; `devices` are those that the options name. */
function environment(program, { devices, device }) {
  const named = (devices ?? device ?? '').split(',')
  const git = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return {
    commit: git.status === 0 ? git.stdout.trim() : null,
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    processor: cpus()[0]?.model ?? null,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    devices: program
      .answer('devices')
      .devices.filter(({ id }) => named.includes(id))
      .map(({ id, name, driver }) => `${id} ${name} (${driver})`),
  }
}

async function main([name, ...args]) {
  const chosen = cases[name]
  if (chosen === undefined) {
    console.log(overview())
    return name === undefined ? 0 : 2
  }
  const { json, library, 'scale-down': down, ...options } = optionsOf(chosen, args)
  const program = new Program(library, Number(down))
  try {
    const { measure } = await chosen.load()
    const facts = environment(program, options)
    const rows = []
    for await (const row of await measure(program, options)) {
      // Each at once: a run may be stopped before the last.
      console.error(JSON.stringify(row))
      rows.push(row)
    }
    if (rows.length === 0) throw new Error('nothing was measured')
    if (json) console.log(JSON.stringify({ case: name, question: chosen.question, ...facts, options, rows }, null, 1))
    else console.log([chosen.question, JSON.stringify(facts), '', tableOf(rows)].join('\n'))
    return 0
  } finally {
    program.close()
  }
}

// Devices that a case opened would keep the process alive.
try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  console.error(`bench: ${error.message}`)
  process.exit(error.code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1)
}
