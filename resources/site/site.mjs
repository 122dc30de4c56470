// Builds the site of the documents (docs/.vitepress) into out/site, unless its sources are those of the last time, and copies it to out/renderer/help, from
// where the window and `anticlique serve` show it. A link that leads nowhere ends it with 1. Node 24.
//   node resources/site/site.mjs            Help, as a part of `npm run build`
//   npm run site -- /anticlique/            the site for a web server, into dist/site: all links, and one to edit each page
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [place] = process.argv.slice(2)
const output = join(root, place === undefined ? 'out/site' : 'dist/site')
const mark = join(output, '.sources')

function sourcesHash() {
  const hash = createHash('sha256')
  const files = globSync('docs/**/*.{md,webp,svg}', { cwd: root })
  for (const path of [
    ...files,
    ...globSync('docs/.vitepress/{config.mjs,theme/*}', { cwd: root }),
    'package.json',
  ].sort())
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

const hash = sourcesHash()
if (place !== undefined || !existsSync(mark) || readFileSync(mark, 'utf8') !== hash) {
  if (place !== undefined) process.env.ANTICLIQUE_SITE = place
  process.env.ANTICLIQUE_SITE_OUT = output
  await build(join(root, 'docs'))
  writeFileSync(mark, hash)
}
if (place === undefined) {
  const help = join(root, 'out/renderer/help')
  rmSync(help, { recursive: true, force: true })
  cpSync(output, help, { recursive: true, filter: (path) => path !== mark })
}
