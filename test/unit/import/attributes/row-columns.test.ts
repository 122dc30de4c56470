import { describe, expect, it } from 'vitest'
import { forms, RowBytes } from '../../../../workers/import/build/row-bytes.ts'
import { RowColumns } from '../../../../workers/import/build/row-columns.ts'
import { randomStream } from '../../../support/random-stream.ts'

const NUMBER = forms.indexOf('number')
const limit = { mostBytes: Infinity, tooLong: () => new Error('too long') }

describe('rows of a bucket as columns', () => {
  it.each([
    { rows: 1, limitU: 1, limitV: 1 },
    { rows: 400, limitU: 1, limitV: 2 ** 32 },
    { rows: 400, limitU: 2 ** 32, limitV: 1 },
    { rows: 3000, limitU: 40, limitV: 40 },
    { rows: 3001, limitU: 2 ** 32, limitV: 2 ** 32 },
    { rows: 5000, limitU: 2 ** 12, limitV: 2 ** 11 },
  ])('come in the order of both vertices, the first of equal ones: $rows rows below $limitU and $limitV', (of) => {
    const random = randomStream(of.rows)
    const bytes = new RowBytes(limit)
    const first = new Map<string, { u: number; v: number; value: number }>()
    for (let value = 0; value < of.rows; value++) {
      const [u, v] = [Math.floor(random() * of.limitU), Math.floor(random() * of.limitV)]
      bytes.begin(u, v)
      const text = Buffer.from(String(value))
      bytes.add(0, NUMBER, text, 0, text.length)
      bytes.end()
      if (!first.has(`${u} ${v}`)) first.set(`${u} ${v}`, { u, v, value })
    }
    const expected = [...first.values()].sort((a, b) => a.u - b.u || a.v - b.v)
    const columns = new RowColumns({ columns: [{ kind: 'number', isPoint: true }], areEdges: true })
    const kept = [new Uint8Array(bytes.take())]
    const block = columns.take({ path: '', fileBytes: 0, kept, room: new SharedArrayBuffer(0) })
    expect(block.rows).toBe(expected.length)
    expect(block.repeated).toBe(of.rows - expected.length)
    expect([...block.keys[0]!]).toEqual(expected.map(({ u }) => u))
    expect([...block.keys[1]!]).toEqual(expected.map(({ v }) => v))
    expect([...block.columns[0]!.values]).toEqual(expected.map(({ value }) => value))
  })
})
