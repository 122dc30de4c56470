import { Command, InvalidArgumentError } from 'commander'
import { algorithmEntries, algorithmEntry } from '../../../workers/contract/catalogue.ts'
import { describe, expect, test } from 'vitest'
import {
  deviceListArgument,
  integerArgument,
  libraryArgument,
  outputArgument,
  runDevicesArgument,
  radiusArgument,
  seedArgument,
  sizeArgument,
} from '../../../electron/cli/argument.ts'
import { addRequestOptions, algorithmArgument, valuesOf } from '../../../electron/cli/run-request.ts'

describe('sizes', () => {
  test.each([
    ['512MiB', 512 * 2 ** 20],
    ['4GiB', 4 * 2 ** 30],
    ['1.5 GiB', 1.5 * 2 ** 30],
    ['2gib', 2 * 2 ** 30],
    ['3GB', 3e9],
    ['64KiB', 65536],
    ['1048576', 1048576],
    ['7B', 7],
  ])('%s', (text, bytes) => expect(sizeArgument(text)).toBe(bytes))

  test.each(['', 'x', '3X', '-1GiB', '0', '0GiB', '1e9', 'GiB', '4 GiB more', '99999999999TiB'])(
    '"%s" is none',
    (text) => expect(() => sizeArgument(text)).toThrow(InvalidArgumentError),
  )
})

describe('whole numbers', () => {
  const oneToTen = integerArgument(1, 10)
  test.each([
    ['1', 1],
    ['10', 10],
  ] as const)('%s', (text, value) => expect(oneToTen(text)).toBe(value))
  test.each(['0', '11', '-1', '1.5', '', 'x', '1e1', ' 1'])('"%s" is refused', (text) =>
    expect(() => oneToTen(text)).toThrow('Write a whole number from 1 to 10.'),
  )
  test('seeds are 32 bits', () => {
    expect(seedArgument('4294967295')).toBe(4294967295)
    expect(() => seedArgument('4294967296')).toThrow(InvalidArgumentError)
  })
})

test('a radius is above 0 and at most half the way around the world', () => {
  expect(radiusArgument('2.5')).toBe(2.5)
  for (const text of ['0', '-3', '20001', 'x', '']) expect(() => radiusArgument(text)).toThrow(InvalidArgumentError)
})

describe('files to write', () => {
  test.each(['set.txt', './-', '/dev/fd/9'])('%s', (text) => expect(outputArgument(text)).toBe(text))

  test.each(['-', ''])('"%s" is none', (text) => expect(() => outputArgument(text)).toThrow(InvalidArgumentError))
})

test('a library is a folder with a name', () => {
  expect(libraryArgument('mine')).toBe('mine')
  expect(() => libraryArgument('')).toThrow(InvalidArgumentError)
})

describe('devices', () => {
  test('a list for bench, one for run', () => {
    expect(deviceListArgument('cpu:0, gpu:1')).toEqual(['cpu:0', 'gpu:1'])
    expect(runDevicesArgument('auto')).toBe('auto')
  })
  test.each(['gpu', 'cuda:0', '', 'cpu:0,', 'cpu:-1'])('"%s" is refused', (text) =>
    expect(() => deviceListArgument(text)).toThrow(InvalidArgumentError),
  )
  test('several for a run or a plan; auto stands alone', () => {
    expect(runDevicesArgument('cpu:0, cpu:1')).toBe('cpu:0,cpu:1')
    expect(() => runDevicesArgument('auto,cpu:1')).toThrow('Write auto alone')
  })
})

describe('algorithms and orders', () => {
  test('those of the catalogue, and no others', () => {
    for (const name of [...algorithmEntries.map((entry) => entry.name), 'auto'] as const)
      expect(algorithmArgument(name)).toBe(name)
    expect(() => algorithmArgument('greedy')).toThrow(InvalidArgumentError)
  })
  test('an option of another algorithm is refused by name', () => {
    const ecl = algorithmEntry('ecl-mis')!
    expect(valuesOf('ecl-mis', { seed: 1, algorithm: 'ecl-mis' })).toEqual({ seed: 1, verify: false })
    for (const other of algorithmEntries)
      for (const { flag, name } of other.options) {
        if (ecl.options.some((option) => option.flag === flag)) continue
        expect(() => valuesOf('ecl-mis', { [name]: 'x' })).toThrow(`${flag}: it belongs to`)
      }
  })
  test('a list that an algorithm takes no notice of is refused, too', () => {
    for (const name of ['tc-mis', 'ld-gpu'] as const)
      expect(() => valuesOf(name, { keep: 'x' })).toThrow('--keep: it belongs to ecl-mis')
  })
  test('partitions and orders', () => {
    expect(runDevicesArgument('cpu:0, gpu:0')).toBe('cpu:0,gpu:0')
    expect(() => runDevicesArgument('auto,cpu:0')).toThrow(/auto alone/)
    expect(valuesOf('ecl-mis', { priority: 'ecl' })).toMatchObject({ priority: 'ecl' })
    expect(valuesOf('tc-mis', { priority: 'h2' })).toMatchObject({ priority: 'h2' })
    expect(() => valuesOf('ecl-mis', { priority: 'newest' })).toThrow('ecl-mis has no such choice')
    expect(() => valuesOf('ecl-mis', { priority: 'h2' })).toThrow('this choice belongs to tc-mis')
    expect(() => valuesOf('ld-gpu', { priority: 'degree' })).toThrow('--priority: it belongs to ecl-mis')
  })
  test('a number is one of those that the algorithm takes', () => {
    expect(valuesOf('mis2-aggregates', { threshold: 1 })).toMatchObject({ threshold: 1 })
    for (const threshold of [-1, 2])
      expect(() => valuesOf('mis2-aggregates', { threshold })).toThrow(
        `--threshold ${threshold}: mis2-aggregates takes a number from 0 to 1`,
      )
    expect(valuesOf('ld-gpu', { threshold: 2 })).toMatchObject({ threshold: 2 })
  })
  describe('help', () => {
    function helpOf(...args: readonly string[]): string {
      let text = ''
      const command = addRequestOptions(new Command('run').exitOverride(), 'Examples')
      command.configureOutput({ writeOut: (some) => (text += some) })
      expect(() => command.parse([...args, '--help'], { from: 'user' })).toThrow('(outputHelp)')
      return text
    }
    const flagsIn = (text: string) => new Set([...text.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag))
    const ofAll = ['--algorithm', '--devices', '--seed', '--memory', '--verify']

    test('by itself it has what all algorithms take, and all of them', () => {
      const text = helpOf()
      expect(flagsIn(text)).toEqual(new Set(ofAll))
      for (const { name } of algorithmEntries) expect(text).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
      expect(text).toContain('Examples')
    })

    test.each(algorithmEntries)('of $name it has what this one takes, with every choice', (entry) => {
      const text = helpOf('--algorithm', entry.name)
      expect(flagsIn(text)).toEqual(new Set([...ofAll, ...entry.options.map(({ flag }) => flag)]))
      const plain = text.replace(/\s+/g, ' ')
      for (const { explanation } of entry.options) expect(plain).toContain(explanation)
      for (const { value } of entry.options.flatMap(({ choices = [] }) => choices))
        expect(text).toContain(` ${value}: `)
    })

    test('a flag of two algorithms has the words of the one that is named', () => {
      expect(helpOf('--algorithm', 'ld-gpu')).toMatch(/--threshold <n> +Edges that weigh less/)
      expect(helpOf('--algorithm', 'mis2-aggregates')).toMatch(/--threshold <n> +Edges count/)
    })
  })
  test('a file that a choice needs makes that choice', () => {
    expect(valuesOf('ecl-mis', { column: 'c' })).toMatchObject({ priority: 'column', columnFile: 'c' })
    expect(() => valuesOf('ecl-mis', { priority: 'column' })).toThrow('--column FILE')
    expect(() => valuesOf('ecl-mis', { priority: 'hash', column: 'c' })).toThrow('Leave one of them out.')
  })
})
