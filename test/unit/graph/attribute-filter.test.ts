import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue } from '../../../workers/contract/jobs.ts'
import { type ColumnKind, columnsOf, compileFilter, parseFilter } from '../../../workers/graph/attribute-filter.ts'

type Row = Readonly<Record<string, AttributeValue>>
const kinds: Readonly<Record<string, ColumnKind>> = {
  size: 'number',
  group: 'text',
  open: 'boolean',
  cell: 'any',
  'of two': 'text',
}

function holds(text: string, row: Row): boolean {
  const filter = parseFilter(text)
  const columns = columnsOf(filter)
  return compileFilter(
    filter,
    columns.map((name) => kinds[name] ?? 'text'),
  )(columns.map((name) => row[name] ?? null))
}

describe('conditions on attributes', () => {
  it.each([
    ['size >= 3', { size: 3 }, true],
    ['size>=3', { size: 2.9 }, false],
    ["group = 'A'", { group: 'A' }, true],
    ["where group = 'A' and size < 3", { group: 'A', size: 3 }, false],
    ["group in ('A', 'it''s')", { group: "it's" }, true],
    ["not group in ('A')", { group: 'B' }, true],
    ["group not in ('A')", { group: 'A' }, false],
    ["group not in ('A')", { group: 'B' }, true],
    ["group not in ('A')", {}, false],
    ["group in ('A')", {}, false],
    ['size not in (1, 2)', {}, false],
    ['size not in (1, 2)', { size: 2 }, false],
    ['cell not in (1, 9007199254740993)', { cell: '9007199254740992' }, true],
    ["not (group in ('A'))", {}, true],
    ["not (group not in ('A'))", {}, true],
    ["group not in ('A') or group is empty", {}, true],
    ['group is empty', {}, true],
    ['size is not empty or open = true', { open: true }, true],
    ["group != 'A'", {}, false],
    ["not (group = 'A')", {}, true],
    ["GROUP = 'A'", { GROUP: 'A' }, true],
    ['group = "A ""b"""', { group: 'A "b"' }, true],
    ['group in ("A", \'B\')', { group: 'A' }, true],
    ["group contains 'ör'", { group: 'KÖRBER' }, true],
    ['"of two" = \'x\'', { 'of two': 'x' }, true],
    ["of two = 'x'", { 'of two': 'x' }, true],
    ['cell > 0.5', { cell: '0.75' }, true],
    ['cell = 7', { cell: 'seven' }, false],
    ["cell = 'seven'", { cell: 'seven' }, true],
    ['cell = 9007199254740993', { cell: '9007199254740993' }, true],
    ['cell = 9007199254740993', { cell: '9007199254740992' }, false],
    ['cell in (1, 18446744073709551615)', { cell: '18446744073709551614' }, false],
    ['cell > 9007199254740992', { cell: '9007199254740993' }, true],
    ['cell > 9007199254740992', { cell: '1e16' }, true],
    ['size < 9007199254740993', { size: 1 }, true],
    ["group='A' or group='B' and size=1", { group: 'A', size: 2 }, true],
    ['size = -1.5e3', { size: -1500 }, true],
  ] as const)('%s', (text, row, expected) => {
    expect(holds(text, row)).toBe(expected)
  })

  it.each([
    ['', 'there is no condition'],
    ['size', 'there is no comparison behind "size"'],
    ['size >', 'a value is missing'],
    ['size > 3 and', 'a column is missing'],
    ["group = 'A", 'a quote does not end'],
    ['group = A', '"A" is no value: texts are in quotes'],
    ['(size > 3', '")" is missing'],
    ["size > 3) or group = 'A'", '")" is one word too many'],
    ['size in 3', '"(" is missing'],
    ['group is', '"empty" is missing'],
    ["size = '3'", 'is compared with the text'],
    ['group = 3', 'holds texts'],
    ["group < 'A'", '< compares numbers'],
    ["size contains 'x'", 'is compared with the text'],
    [`${'('.repeat(80)}size > 3`, 'nested too deep'],
  ])('%s is refused: %s', (text, what) => {
    expect(() => holds(text, {})).toThrow(what)
  })

  it('is what its parts say, however they are put together', () => {
    interface Case {
      readonly text: string
      readonly test: (row: Row) => boolean
    }
    const compare = fc.record({
      sign: fc.constantFrom('<', '<=', '=', '!=', '>=', '>'),
      value: fc.integer({ min: -2, max: 2 }),
    })
    const leaf = compare.map(({ sign, value }): Case => ({
      text: `size ${sign} ${value}`,
      test: ({ size }) => {
        if (typeof size !== 'number') return false
        if (sign === '<') return size < value
        if (sign === '<=') return size <= value
        if (sign === '=') return size === value
        if (sign === '!=') return size !== value
        return sign === '>=' ? size >= value : size > value
      },
    }))
    const list = fc.record({ isNot: fc.boolean(), values: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 1 }) })
    const listed = list.map(({ isNot, values }): Case => ({
      text: `size ${isNot ? 'not in' : 'in'} (${values.join(', ')})`,
      test: ({ size }) => typeof size === 'number' && values.includes(size) !== isNot,
    }))
    const { tree } = fc.letrec<{ tree: Case }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        listed,
        tie('tree').map(({ text, test }): Case => ({ text: `not (${text})`, test: (row) => !test(row) })),
        fc.tuple(tie('tree'), tie('tree'), fc.boolean()).map(([a, b, isAnd]): Case => ({
          text: `(${a.text}) ${isAnd ? 'and' : 'or'} (${b.text})`,
          test: (row) => (isAnd ? a.test(row) && b.test(row) : a.test(row) || b.test(row)),
        })),
      ),
    }))
    const row = fc.record({ size: fc.option(fc.integer({ min: -3, max: 3 })) })
    fc.assert(
      fc.property(tree, row, ({ text, test }, one) => {
        expect(holds(text, one)).toBe(test(one))
      }),
      { numRuns: 120 },
    )
  })
})
