import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { contentSecurityPolicy } from '../../../electron/host/page.ts'
import { filesOf, readTree, root } from '../../unit/structure/source-files.ts'

const help = join(root, 'out/renderer/help')
const read = (path: string): string => readFileSync(join(help, path), 'utf8')
let pages: readonly string[]

beforeAll(() => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'resources/site/site.mjs')], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  pages = globSync('**/*.html', { cwd: help }).map((path) => path.replaceAll('\\', '/'))
})

test('every document is a page', () => {
  const documents = [...readTree().keys()].filter((path) => /^docs\/.*\.md$/.test(path))
  const expected = documents.map((path) => path.slice('docs/'.length).replace('.md', '.html'))
  expect([...pages].sort()).toEqual([...expected, '404.html'].sort())
})

test('what a page asks for is there, and every link leads to a page and its heading', () => {
  const targets = pages.flatMap((page) =>
    [...read(page).matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(([, target = '']) => target)
      .filter((target) => !target.startsWith('data:') && target !== '../index.html')
      .map((target) => [page, target] as const),
  )
  expect(targets.length).toBeGreaterThan(1000)
  const missing = targets.filter(([page, target]) => {
    const [path = '', heading] = target.split('#')
    const file =
      path === ''
        ? page
        : path.startsWith('/help/')
          ? path.slice('/help/'.length)
          : posix.join(posix.dirname(page), path)
    const named = file === '' ? 'index.html' : file
    return (
      !existsSync(join(help, named)) ||
      (heading !== undefined && heading !== '' && !read(named).includes(`id="${decodeURIComponent(heading)}"`))
    )
  })
  expect(missing).toEqual([])
})

test('pages hold nothing that the policy of the window refuses, and no address of the network', () => {
  expect(contentSecurityPolicy).toContain("script-src 'self'")
  expect(contentSecurityPolicy).toContain("style-src 'self'")
  for (const page of pages) {
    expect([page, read(page).match(/<script(?![^>]* src=)[^>]*>|<[a-z][^>]* (?:style|on\w+)="|<style/)]).toEqual([
      page,
      null,
    ])
    expect([page, read(page).match(/ (?:href|src)="(?:https?:)?\/\//)]).toEqual([page, null])
  }
  const templates = globSync('assets/*.md.*.js', { cwd: help }).filter((path) => /<[a-z][^>]* style=/.test(read(path)))
  expect(templates).toEqual([])
})

test('the reference has every command, and the search finds its options', () => {
  const commands = read('commands.html')
  for (const name of ['import', 'run', 'verify', 'rerun', 'export', 'serve', 'datasets show'])
    expect(commands).toContain(`id="anticlique-${name.replace(' ', '-')}"`)
  const [index] = globSync('assets/chunks/*localSearchIndex*.js', { cwd: help })
  expect(read(index!)).toContain('radius')
})

test('the packages in its pages are named, for their notices', () => {
  const bundled = JSON.parse(read('bundled.json')) as { name: string; version: string }[]
  expect(bundled.map(({ name }) => name)).toEqual(expect.arrayContaining(['vue', 'vitepress', 'minisearch']))
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
