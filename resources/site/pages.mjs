// What the site consists of: the documents of docs in the order of its navigation, and the reference of commands, made from the program.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Documents that are not named here come at the end of the last group: none is forgotten. */
const groups = {
  Begin: ['first-steps', 'troubleshooting', 'glossary'],
  Theory: ['sets', 'matching'],
  Guides: ['searches', 'colouring', 'spins', 'scripts', 'packages', 'cluster'],
  Reference: ['commands', 'command-line', 'formats', 'results'],
  Inside: ['architecture', 'security', 'reliability', 'dependencies'],
}

const groupOf = (path) =>
  Object.keys(groups).find((group) => groups[group].includes(path.replace('.md', ''))) ?? 'Inside'
const order = Object.values(groups).flat()
const placeOf = (path) => (order.indexOf(path.replace('.md', '')) + order.length + 1) % (order.length + 1)

/** @returns the pages of the site as `{ path, group, text }` */
export async function pagesOf(root) {
  const folder = join(root, 'docs')
  const documents = globSync('**/*.md', { cwd: folder })
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  const commands = { path: 'commands.md', text: await commandReference(root) }
  return [...documents, commands]
    .map((page) => ({ ...page, group: groupOf(page.path) }))
    .sort((a, b) => placeOf(a.path) - placeOf(b.path) || (a.path < b.path ? -1 : 1))
}

/** The help of every command, as the program prints it. */
async function commandReference(root) {
  const load = (path) => import(pathToFileURL(join(root, path)).href)
  const { createProgram } = await load('electron/cli/main.ts')
  const { Shell } = await load('electron/cli/shell.ts')
  const shell = new Shell(
    () => ({}),
    () => {
      throw new Error('The reference runs no command.')
    },
  )
  const program = await createProgram(shell, [])
  const parts = [
    '# Commands',
    '',
    'The help that each command prints. What their answers mean: [command line](command-line.md).',
  ]
  const add = (command, name) => {
    let text = ''
    command.configureOutput({ writeOut: (some) => (text += some), getOutHelpWidth: () => 110 })
    command.outputHelp()
    parts.push('', `## ${name}`, '', '````text', text.trimEnd(), '````')
    for (const next of command.commands) add(next, `${name} ${next.name()}`)
  }
  add(program, 'anticlique')
  return `${parts.join('\n')}\n`
}
