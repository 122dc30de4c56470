import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { workerLayers } from './layers.ts'
import { productFolders, root, sourceFiles } from './source-files.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const isThere = (path: string): boolean => existsSync(join(root, path))

/** The headings of a page as links name them. */
const headingsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  )

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...sourceFiles(['docs', 'workers', 'test'], ['.md']).map(({ path }) => path),
]
const scripts = sourceFiles(['bench', 'test/scripts', 'resources'], ['.mjs'])

describe('documents', () => {
  it.each(pages)('%s links to what is there', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)]
    const broken = links.filter(([, path = '', heading]) => {
      const target = path === '' ? page : join(dirname(page), path)
      return !isThere(target) || (heading !== undefined && !headingsOf(target).includes(heading))
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  it('name scripts and cases of benchmarks that are there', () => {
    const text = pages.map(read).join('\n')
    const named = [...text.matchAll(/`node ([\w/-]+\.mjs)/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((path) => !isThere(path))).toEqual([])
    const cases = [...text.matchAll(/npm run bench -- ([a-z-]+)/g)].map((match) => match[1] ?? '')
    expect(cases.length).toBeGreaterThan(5)
    expect(cases.filter((name) => !isThere(`bench/cases/${name}.mjs`))).toEqual([])
  })

  it('are there where a source names them', () => {
    const files = [...sourceFiles(productFolders, ['.ts', '.mjs', '.vue', '.wgsl']), ...scripts]
    const named = files.flatMap(({ text }) => text.match(/docs\/[\w/-]+\.md/g) ?? [])
    expect(named.length).toBeGreaterThan(20)
    expect([...new Set(named)].filter((page) => !isThere(page))).toEqual([])
  })
})

test('docs/architecture.md has the layers of workers as they are checked', () => {
  const layers = workerLayers.map((folders) => folders.join(', ')).join('\n')
  expect(read('docs/architecture.md')).toContain(`\n${layers}\n`)
})

describe('decisions', () => {
  const parts = ['Context', 'Choice', 'Price', 'What would change our mind']

  it.each(sourceFiles(['docs/decisions'], ['.md']))('$path is short, and whole or superseded', ({ text }) => {
    expect(text.trim().split('\n').length).toBeLessThanOrEqual(14)
    if (!/^\d{4}-\d\d-\d\d\. Superseded by \[\d{4}\]/m.test(text))
      expect(parts.filter((part) => !text.includes(`- **${part}.** `))).toEqual([])
  })
})

describe('results', () => {
  const page = 'docs/results.md'
  const rows = sourceFiles(['docs/results'], ['.json'])

  it('take at most 120 lines', () => {
    expect(read(page).split('\n').length).toBeLessThanOrEqual(121)
  })

  it.each(rows)('of $path name commit, day, device and command, as the page does', ({ text }) => {
    const { commit, date, device, command, rows: found } = JSON.parse(text) as Record<string, unknown>
    expect(read(page)).toContain(commit)
    expect([date, device].every((fact) => typeof fact === 'string' && fact !== '')).toBe(true)
    expect(command).toMatch(/^(?:npm run bench -- [a-z]|npx anticlique bench )/)
    expect(found).not.toHaveLength(0)
  })
})

describe('scripts', () => {
  it.each(scripts)('$path imports what is there', ({ path, text }) => {
    const named = [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '')
    expect(named.filter((target) => !isThere(join(dirname(path), target)))).toEqual([])
  })

  it('of benchmarks are all in the table', () => {
    const table = read('bench/cases.mjs')
    const files = readdirSync(join(root, 'bench/cases'))
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter((name) => !table.includes(`./cases/${name}`))).toEqual([])
  })
})
