// The documentation as a small site of plain pages: everything in docs, a reference made from the code, and a search. `npm run build` puts it into
// out/renderer/help, from where the window and `anticlique serve` show it. A link that leads nowhere ends it with 1. Node 24.
//   node resources/site/site.mjs [--output out/renderer/help]
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { deadLinks, renderPage } from './page.mjs'
import { pagesOf } from './pages.mjs'

export { pagesOf }

const root = fileURLToPath(new URL('../..', import.meta.url))
const here = (name) => readFileSync(new URL(name, import.meta.url))

/**
 * @param sources pages as `{ path, group, text }`, where path is that of the document from docs
 * @returns the files of the site by their paths, and what is wrong with it
 */
export function makeSite(sources) {
  const pages = sources.map(renderPage)
  const files = new Map(pages.map(({ file, html }) => [file, html(pages)]))
  for (const image of new Set(pages.flatMap(({ images }) => images)))
    if (existsSync(join(root, 'docs', image))) files.set(image, readFileSync(join(root, 'docs', image)))
  const sections = pages.flatMap((page) => page.sections)
  files.set('index.js', `export const sections = ${JSON.stringify(sections)}\n`)
  files.set('search.js', here('search.js'))
  files.set('site.css', Buffer.concat([readFileSync(join(root, 'renderer/src/theme/tokens.css')), here('site.css')]))
  return { files, faults: deadLinks(files) }
}

async function main() {
  const { values } = parseArgs({ options: { output: { type: 'string' } } })
  const output = values.output ?? join(root, 'out/renderer/help')
  const { files, faults } = makeSite(await pagesOf(root))
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) return (process.exitCode = 1)
  rmSync(output, { recursive: true, force: true })
  for (const [path, content] of files) {
    mkdirSync(dirname(join(output, path)), { recursive: true })
    writeFileSync(join(output, path), content)
  }
  console.log(`${files.size} files of documentation in ${output}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
