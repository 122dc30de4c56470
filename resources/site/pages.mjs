// What the site consists of: the documents of docs in the order of its navigation.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Documents that are not named here come at the end of the last group: none is forgotten. */
const groups = {
  Begin: ['guide', 'first-steps', 'recipes', 'troubleshooting', 'glossary'],
  Theory: ['algorithms', 'sets', 'matching', 'colouring', 'searches', 'distance-sets', 'spins'],
  Guides: ['scripts', 'packages', 'cluster'],
  Reference: ['commands', 'command-line', 'formats', 'results'],
  Inside: ['architecture', 'security', 'reliability', 'dependencies'],
}

const groupOf = (path) =>
  Object.keys(groups).find((group) => groups[group].includes(path.replace('.md', ''))) ?? 'Inside'
const order = Object.values(groups).flat()
const placeOf = (path) => (order.indexOf(path.replace('.md', '')) + order.length + 1) % (order.length + 1)

/** @returns the pages of the site as `{ path, group, text }` */
export function pagesOf(root) {
  const folder = join(root, 'docs')
  const documents = globSync('**/*.md', { cwd: folder })
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  return documents
    .map((page) => ({ ...page, group: groupOf(page.path) }))
    .sort((a, b) => placeOf(a.path) - placeOf(b.path) || (a.path < b.path ? -1 : 1))
}
