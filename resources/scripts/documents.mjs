// Makes the documents that repeat something else: docs/results.md the rows in docs/results, docs/commands.md the help of every command and algorithm, and
// tables between marks in other pages the catalogue, and the functions of the package for Python its algorithms. A test compares them. Node 24.
//   npm run documents
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { commandReference } from './documents/commands.mjs'
import { pythonAlgorithms } from './documents/python.mjs'
import { resultsPage } from './documents/results.mjs'
import { withTables } from './documents/tables.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** @returns the documents as they should be: texts by their paths from the root */
export async function madeDocuments() {
  const options = await resolveConfig(join(root, 'README.md'))
  const pages = new Map([
    ['docs/results.md', resultsPage(root)],
    ['docs/commands.md', await commandReference(root)],
    ...(await pagesWithTables()),
  ])
  const made = new Map([['resources/clients/python/anticlique/algorithms.py', await pythonAlgorithms(root)]])
  for (const [path, text] of pages) made.set(path, await format(text, { ...options, parser: 'markdown' }))
  return made
}

async function pagesWithTables() {
  const names = globSync('docs/*.md', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  const pages = names.map((path) => [path, readFileSync(join(root, path), 'utf8')])
  const withMarks = pages.filter(([, text]) => text.includes('<!-- made: '))
  return Promise.all(withMarks.map(async ([path, text]) => [path, await withTables(root, text)]))
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of await madeDocuments()) writeFileSync(join(root, path), text)
