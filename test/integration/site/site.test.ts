import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeSite, pagesOf } from '../../../resources/site/site.mjs'
import { filesOf, readTree, root } from '../../unit/structure/source-files.ts'

const sources = await pagesOf(root)
const { files, faults } = makeSite(sources)
const html = [...files].filter(([path]) => path.endsWith('.html')).map(([path, text]) => [path, String(text)] as const)

test('every document is a page, and every link and image leads somewhere', () => {
  expect(faults).toEqual([])
  const documents = [...readTree().keys()].filter((path) => /^docs\/.*\.md$/.test(path))
  expect(html.map(([path]) => path).sort()).toEqual(
    documents.map((path) => path.slice('docs/'.length).replace('.md', '.html')).sort(),
  )
  for (const link of ['[a](gone.md)', '[a](sets.md#gone)', '![a](gone.png)'])
    expect(makeSite([...sources, { path: 'planted.md', group: 'Begin', text: `# P\n${link}` }]).faults).toHaveLength(1)
})

test('pages hold nothing that the policy of the window refuses, and no address of the network', () => {
  for (const [path, text] of html) {
    const { length } = text.match(/<script type="module" src="(\.\.\/)*search\.js"><\/script>/g) ?? []
    expect([path, length, text.match(/<script/g)?.length]).toEqual([path, 1, 1])
    expect([path, text.match(/ (style|on\w+)="|<style|(?:href|src)="(?:https?:)?\/\//)]).toEqual([path, null])
  }
})

test('the reference has every command, and the search finds its options', () => {
  const commands = String(files.get('commands.html'))
  for (const name of ['import', 'run', 'verify', 'rerun', 'export', 'serve', 'datasets show'])
    expect(commands).toContain(`>anticlique ${name}</h2>`)
  const index = String(files.get('index.js'))
  const sections = JSON.parse(index.slice(index.indexOf('['))) as { href: string; words: string }[]
  expect(sections.find(({ words }) => words.includes('--radius-km'))).toBeDefined()
})

const troubles = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8')
const product = filesOf(readTree(), ['workers', 'electron', 'renderer'], ['.ts', '.mjs', '.vue'])
  .map(({ text }) => text)
  .join('\n')

describe('messages of the troubleshooting page are those of the program', () => {
  const messages = [...troubles.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1]!)
  expect(messages.length).toBeGreaterThan(15)
  test.each(messages)('%s', (message) => expect(product).toContain(message))
})
