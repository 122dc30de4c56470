import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DecimalScanner } from '../../../workers/import/reader/numbers.ts'
import { LabelTable } from '../../../workers/import/reader/input-ids.ts'
import { wholeLines } from '../../../workers/import/reader/graph-reader.ts'
import { quietJob, YieldScheduler } from '../../../workers/base/job.ts'

const pace = new YieldScheduler(quietJob)

describe('numbers', () => {
  const scanner = new DecimalScanner()
  const read = (text: string) => {
    const value = scanner.read(Buffer.from(`${text} `), 0)
    return { value, end: scanner.end }
  }

  it('are read as Number() reads them', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc
        .tuple(fc.integer(), fc.nat(999_999_999), fc.integer({ min: -40, max: 40 }))
        .map(([a, b, e]) => `${a}.${b}e${e}`),
      fc.nat().map((n) => `+${n}.`),
      fc.bigInt({ min: 0n, max: 2n ** 90n }).map(String),
    )
    fc.assert(
      fc.property(number, (text) => {
        expect(read(text)).toEqual({ value: Number(text), end: text.length })
      }),
      { numRuns: 600 },
    )
  })

  it.each([
    ['', 0],
    ['-', 0],
    ['.', 0],
    ['e5', 0],
    ['1e', 1],
    ['1e+', 1],
    ['2x', 1],
    ['1.5.2', 3],
  ])('%j ends at %d', (text, end) => {
    expect(read(text).end).toBe(end)
  })
})

describe('lines', () => {
  it('come whole, however the chunks are cut', async () => {
    const line = fc.string({ maxLength: 30, unit: fc.constantFrom('a', 'b', ' ', '\r', '1') })
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 20 }),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 3, max: 50 }),
        async (lines, mark, last, size) => {
          const text = lines.join('\n') + (last && lines.length > 0 ? '\n' : '')
          const bytes = Buffer.from((mark ? '\uFEFF' : '') + text)
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          )
          let joined = ''
          for await (const { bytes: span, start, end } of wholeLines(iterate(chunks))) {
            expect(span[end - 1]).toBe(10)
            joined += Buffer.from(span.subarray(start, end)).toString()
          }
          expect(joined).toBe(text === '' || text.endsWith('\n') ? (mark && text === '' ? '\n' : text) : `${text}\n`)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('may be longer than any chunk', async () => {
    const long = 'x'.repeat(1_000_000)
    const chunks = Array.from({ length: 1000 }, (_, i) => Buffer.from(`${long.slice(i * 1000, (i + 1) * 1000)}`))
    const spans: number[] = []
    for await (const { start, end } of wholeLines(iterate([...chunks, Buffer.from('\ny\n')]))) spans.push(end - start)
    expect(spans).toEqual([1_000_001, 2])
  })
})

async function* iterate(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Promise.resolve(chunk)
}

describe('a label table', () => {
  it('knows every label once and sorts them by their bytes', async () => {
    const label = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => !/\p{C}/u.test(text))
    await fc.assert(
      fc.asyncProperty(fc.array(label, { maxLength: 200 }), async (labels) => {
        const table = new LabelTable()
        const numbers = labels.map((text) => table.intern(Buffer.from(text)))
        const unique = [...new Set(labels)]
        expect(table.count).toBe(unique.length)
        expect(numbers).toEqual(labels.map((text) => unique.indexOf(text)))
        const ascending = [...(await table.ascending(pace))].map((i) => Buffer.from(table.bytes(i)).toString())
        expect(ascending).toEqual([...unique].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
      }),
      { numRuns: 200 },
    )
  })

  it('holds and sorts many', async () => {
    const table = new LabelTable()
    for (let i = 0; i < 100_000; i++)
      expect(table.intern(Buffer.from(`label ${(i * 7919) % 50_021}`))).toBe(
        i < 50_021 ? i : i - 50_021 < 50_021 ? i - 50_021 : -2,
      )
    const order = await table.ascending(pace)
    for (let k = 1; k < order.length; k++)
      expect(Buffer.compare(table.bytes(order[k - 1]!), table.bytes(order[k]!))).toBe(-1)
  })

  it('refuses what is not printable UTF-8', () => {
    const table = new LabelTable()
    for (const bytes of [[0xff], [0xc3], [97, 0], [10], [127]]) expect(table.intern(Uint8Array.from(bytes))).toBe(-1)
  })
})
