import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonPieces, type JsonPath } from '../../../../workers/import/formats/json-pieces.ts'

/** The members of the root's lists and objects, in order. */
function membersOf(pieces: readonly string[]): [JsonPath, unknown][] {
  const found: [JsonPath, unknown][] = []
  const json = new JsonPieces({
    wants: (path) => path.length === 2,
    take: (path, value) => found.push([path, value]),
    failure: (what) => new Error(what),
  })
  for (const piece of pieces) json.write(piece)
  json.finish()
  return found
}

/** The text in pieces of a length. */
const cut = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length))

const expectedOf = (root: unknown): [JsonPath, unknown][] => {
  const isOpen = (value: unknown): value is object => typeof value === 'object' && value !== null
  const steps = (value: object): [string | number, unknown][] =>
    Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  if (!isOpen(root)) return []
  return steps(root).flatMap(([key, value]) =>
    isOpen(value) ? steps(value).map(([inner, each]) => [[key, inner], each] as [JsonPath, unknown]) : [],
  )
}

describe('JSON in pieces', () => {
  it('hands out what JSON.parse reads there, wherever the text is cut', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), fc.boolean(), (text, length, isSpaced) => {
        const root = JSON.parse(text) as unknown
        const written = isSpaced ? JSON.stringify(root, null, 1) : text
        // Keys that look like numbers come first in an object of JavaScript.
        const byPath = (list: readonly [JsonPath, unknown][]) => list.map((each) => JSON.stringify(each)).sort()
        expect(byPath(membersOf(cut(written, length)))).toEqual(byPath(expectedOf(root)))
      }),
      { numRuns: 150 },
    )
  })

  it('refuses what JSON.parse refuses', () => {
    const signs = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', 'true', 'nul', ' ', '-', '"\\', '"')
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 9 }), fc.integer({ min: 1, max: 4 }), (parts, length) => {
        const text = parts.join('')
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        if (isJson) membersOf(cut(text, length))
        else expect(() => membersOf(cut(text, length))).toThrow()
      }),
      { numRuns: 150 },
    )
  })

  it('keeps texts as they are, and reads the numbers that Python writes', () => {
    const text = '{"a":["\ufeffx","\\udc80",{"n":[NaN,-Infinity,"NaN","#NaN"]},Infinity]}'
    const values = [['\ufeffx'], ['\udc80'], [{ n: [NaN, -Infinity, 'NaN', '#NaN'] }], [Infinity]].flat()
    for (const length of [1, 2, 7, text.length])
      expect(membersOf(cut(text, length)).map(([, value]) => value)).toEqual(values)
    expect(() => membersOf(['{"a":[NaNs]}'])).toThrow(/not JSON/)
  })

  it.each([
    ['[', 'nested 100 deep'],
    ['{"a":', 'nested 100 deep'],
  ])('bounds how deep %s goes', (open, what) => {
    expect(() => membersOf(['{"b":[', open.repeat(1e6)])).toThrow(what)
  })

  it('bounds the length of a text, a key and a value', () => {
    const long = 'x'.repeat(1 << 20)
    for (const begin of ['{"', '{"a":"', '{"a":["'])
      expect(() => membersOf([begin, ...Array.from({ length: 6 }, () => long)])).toThrow(/longer than 4 MiB/)
    const many = Array.from({ length: 6 }, () => `"${long}",`)
    expect(() => membersOf(['{"a":[[', ...many])).toThrow(/longer than 4 MiB/)
  })
})
