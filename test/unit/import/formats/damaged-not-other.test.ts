import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { detectFormat } from '../../../../workers/import/formats/detect.ts'
import type { FormatName } from '../../../../workers/contract/jobs.ts'
import { type Fixture, fixtures } from '../../../support/fixtures.ts'
import { randomStream } from '../../../support/graphs.ts'
import { failureOf, Workplace } from '../../../support/ingest-cases.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'

const work = new Workplace()
const formats: readonly FormatName[] = ['matrix-market', 'metis', 'dimacs', 'dimacs9', 'konect', 'pbbs']
const textOf = ({ path }: Fixture) => readFileSync(path, 'latin1')
/** A text without a banner, which only its name tells: one that is damaged may be anything. */
const isTold = (fixture: Fixture): boolean =>
  detectFormat(Buffer.from(textOf(fixture), 'latin1'), true, 'x.txt').format === fixture.golden.format
const inLines = fixtures.filter((fixture) => formats.includes(fixture.golden.format as FormatName) && isTold(fixture))

/** The text with one byte changed, one word exchanged, lost or doubled, or one line lost or doubled: all such texts. */
function* nearly(text: string): Generator<string> {
  for (let i = 0; i < text.length; i++)
    for (const bit of [1, 4, 16, 64]) {
      const code = text.charCodeAt(i) ^ bit
      if (code >= 32 && code < 127) yield text.slice(0, i) + String.fromCharCode(code) + text.slice(i + 1)
    }
  for (const { 0: word, index } of text.matchAll(/\S+/g))
    for (const other of ['x', '', '7', `${word} ${word}`])
      yield text.slice(0, index) + other + text.slice(index + word.length)
  const lines = text.split('\n')
  for (let i = 1; i < lines.length; i++) {
    yield [...lines.slice(0, i), ...lines.slice(i + 1)].join('\n')
    yield [...lines.slice(0, i), ...lines.slice(i - 1)].join('\n')
  }
}

describe('what is nearly of a format is that format, damaged', () => {
  it('of most files that are told by more than their name', () => expect(inLines.length).toBeGreaterThan(15))

  it.each(inLines.map((fixture) => [fixture.name, fixture] as const))('%s', (_, fixture) => {
    const others = new Set<string>()
    let copies = 0
    for (const copy of nearly(textOf(fixture))) {
      copies++
      const { format } = detectFormat(Buffer.from(copy, 'latin1'), true, basename(fixture.path))
      if (format !== fixture.golden.format) others.add(copy)
    }
    expect(copies).toBeGreaterThan(40)
    // Nothing else speaks for Matrix Market and PBBS under any name than their first word.
    const without = /^(?:x|7|)\s/
    expect([...others].filter((copy) => !without.test(copy))).toEqual([])
  })

  it('METIS under any name, as long as most of it is there', () => {
    const ring = Array.from({ length: 12 }, (_, i) => `${((i + 11) % 12) + 1} ${((i + 1) % 12) + 1}\n`)
    const detect = (text: string) => detectFormat(Buffer.from(text), true, 'x.txt').format
    expect(detect(`12 12\n${ring.join('')}`)).toBe('metis')
    for (let i = 0; i < 12; i++) {
      expect(detect(`12 12\n${ring.with(i, '7 7 7\n').join('')}`)).toBe('metis')
      expect(detect(`12 12\n${ring.with(i, `${i + 1}x 3\n`).join('')}`)).toBe('metis')
    }
    for (const { golden, path } of inLines.filter(({ golden }) => golden.format === 'metis'))
      expect(detectFormat(readFileSync(path), true, 'x.txt').format).toBe(golden.format)
  })

  it('small lists of numbers stay edge lists', () => {
    const random = randomStream(5)
    const pick = (limit: number) => Math.floor(limit * random())
    for (let k = 0; k < 3000; k++) {
      const ids = 2 + pick(9)
      const weight = pick(2) === 0 ? '' : ` ${1 + pick(5)}`
      const rows = Array.from({ length: 2 + pick(8) }, () => [1 + pick(ids), 1 + pick(ids)] as const)
      // A first line of one number twice, and as many more: METIS too.
      if (rows[0]![0] === rows[0]![1]) continue
      const lines = rows.flatMap(([u, v]) =>
        pick(2) === 0 ? [`${u} ${v}${weight}\n`] : [`${u} ${v}${weight}\n`, `${v} ${u}${weight}\n`],
      )
      const text = lines.join('')
      expect([text, detectFormat(Buffer.from(text), true, 'x.txt').format]).toEqual([text, 'edge-list'])
    }
  })
})

describe('lines of numbers are read whole, however wide they are', () => {
  it.each(inLines.map((fixture) => [fixture.name, fixture] as const))('%s', async (_, fixture) => {
    const { options, format } = fixture.golden
    const asIs = { ...options, format: format as FormatName }
    const wide = textOf(fixture).replaceAll(' ', ' '.repeat(700))
    const plain = await work.imported('plain', textOf(fixture), asIs)
    expect((await work.imported('wide', wide, asIs)).graphBytes.equals(plain.graphBytes)).toBe(true)
  })

  it.each([
    ['dimacs', 'p edge 3 1\ne 1'],
    ['konect', '% sym positive\n1 2'],
    ['matrix-market', '%%MatrixMarket matrix coordinate real general\n3 3'],
    ['metis', '3'],
  ] as const)('%s: a line that is too long for it is refused', async (format, text) => {
    const source = work.file('long', `${text}${' '.repeat(100_000)}2\n`)
    expect((await work.refused(source, { format })).what).toMatch(/has 100\d{3} bytes, and a line of this format/)
  })

  it('a line that does not end is refused at its number, plain and compressed, before it fills the memory', async () => {
    const text = `1 2\n2 3\n${'4'.repeat(9_000_000)} 5\n`
    for (const source of [work.file('l.txt', text), work.file('l.txt.gz', gzipSync(text))]) {
      const args = { source, folder: work.newFolder(), memoryBytes: 1 << 20 }
      const failure = await failureOf(importGraph(args, quietJob, { chunkBytes: 1 << 16 }))
      expect(failure).toMatchObject({ code: 'input', where: `${source}:3` })
      expect(failure.what).toMatch(/longer than the 4 MiB/)
    }
  })
})
