// docs/results.md: a table a question, of the rows that are measured. A file of docs/results has the question, what was done (`says`), commit, machine and
// command, the titles of the columns by the fields of a row, and the rows; of several values of a field the median is shown, of `...Range` both ends.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { tableOf } from './table.mjs'

const parts = {
  'Sets: how large': [
    'best',
    'hard',
    'weighted',
    'limits',
    'one-second',
    'gpu-search',
    'bounds',
    'better',
    'quality',
    'seeds',
  ],
  'Sets and matchings: how long': [
    'files',
    'library',
    'two-cores',
    'out-of-core',
    'packed',
    'verify',
    'set-kernels',
    'matching-kernels',
  ],
  Imports: ['imports', 'imports-programs', 'generators', 'canonical', 'headers'],
  'Several devices and machines': ['two-gpus', 'ranks', 'paper-exchange'],
  'Other algorithms': [
    'searches',
    'searches-two-cores',
    'cores',
    'colouring',
    'spins',
    'tc-mis',
    'distance-sets',
    'multigrid',
  ],
  'What does not fail': ['same-answer', 'kills', 'cancels', 'flips', 'damage', 'many-runs', 'records'],
  'The window': ['window'],
}

const start = `# Results

A table answers one question. Below it are the commit of its rows, the machine and the command that repeats it; the rows themselves are
[JSON](results). Times of other programs were taken on the same machine, in the same session. R-MAT ids are not shuffled.

This page is made from the rows: \`npm run documents\`.`

/** Every file of results by its name. */
export function measuredResults(root) {
  const folder = join(root, 'docs/results')
  return new Map(
    globSync('*.json', { cwd: folder }).map((file) => [
      basename(file, '.json'),
      JSON.parse(readFileSync(join(folder, file), 'utf8')),
    ]),
  )
}

export function resultsPage(root) {
  const results = measuredResults(root)
  const named = Object.values(parts).flat()
  const missing = [...results.keys()].filter((name) => !named.includes(name))
  if (missing.length > 0) throw new Error(`no part of the results has ${missing.join(', ')}`)
  const sections = Object.entries(parts).map(([title, names]) =>
    [`## ${title}`, ...names.map((name) => section(results.get(name)))].join('\n\n'),
  )
  return `${[start, ...sections].join('\n\n')}\n`
}

function section(result) {
  const { question, says, commit, machine, command, rows } = result
  const commits = [
    ...new Set([
      commit,
      ...rows.flatMap((row) => Object.keys(row).flatMap((key) => (/commit$/i.test(key) ? [row[key]] : []))),
    ]),
  ]
  const source = `${commits.length === 1 ? 'Commit' : 'Commits'} ${commits.join(', ')}; ${machine}. \`${command}\``
  return [`### ${question}`, ...(says === undefined ? [] : [says]), table(result), source].join('\n\n')
}

function table({ columns, rows, pivot }) {
  const keys = Object.keys(columns)
  const shown = pivot === undefined ? rows : pivoted(rows, pivot)
  const cells = shown.map((row) =>
    keys.map((key) =>
      pivot?.bold?.includes(key) && row[key] === largest(row, pivot.bold)
        ? `**${text(row[key])}**`
        : text(row[key], key),
    ),
  )
  const right = keys.flatMap((key, at) => (shown.some((row) => isFigure(row[key])) ? [at] : []))
  return tableOf(Object.values(columns), cells, right)
}

/** A row for each value of a field; its fields are named by the values of other fields. */
function pivoted(rows, { row: by, columns, value }) {
  return [...Map.groupBy(rows, (row) => row[by])].map(([name, alike]) => ({
    [by]: name,
    ...Object.fromEntries(alike.map((row) => [columns.map((column) => row[column]).join(' '), row[value]])),
  }))
}

const largest = (row, keys) => Math.max(...keys.map((key) => row[key] ?? 0))
const isFigure = (value) => typeof value === 'number' || (Array.isArray(value) && value.every(Number.isFinite))
const median = (values) => values.toSorted((x, y) => x - y)[values.length >> 1]

function text(value, key = '') {
  if (value === undefined) return '.'
  if (value === null) return 'none'
  if (Array.isArray(value)) return key.endsWith('Range') ? `${value.map(number).join(' to ')}` : number(median(value))
  return typeof value === 'number' ? number(value) : value
}

/** Whole numbers as they are, others by three digits at most, as long as these are behind the point. */
function number(value) {
  const digits = Number.isInteger(value) ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}
