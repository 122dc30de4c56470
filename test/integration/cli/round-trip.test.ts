import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { CommandLineHere, linesOf } from './command-line.ts'

/**
 * A triangle 10-20-30, a path 30-40-50 behind it, and a pair 60-70. Comments, a loop, a duplicate and a reverse arc that
 * the import has to count:
 *
 *     10---20
 *       \ /
 *       30---40---50     60---70
 */
const edges = ['# seven cities', '10 20', '20 30', '30 10', '30 40', '40 50', '60 70', '10 20', '20 10', '50 50', '']

interface RunDocument {
  run: string
  result: { kind: string; size: number; fraction: number; hash: string }
  verified: boolean | null
  upperBound: number | null
  files: string[]
}

let cli: CommandLineHere
const ids = (file: string): string[] => linesOf(readFileSync(join(cli.folder, file), 'utf8'))

beforeAll(() => {
  cli = new CommandLineHere()
  cli.write('cities.txt.gz', gzipSync(edges.join('\n')))
})

describe('from a file to an exported set', () => {
  test('import counts what it removes, merges and adds', async () => {
    const { dataset } = await cli.json<{ dataset: Record<string, unknown> }>('import', 'cities.txt.gz')
    expect(dataset).toMatchObject({
      name: 'cities',
      vertices: 7,
      edges: 6,
      arcs: 12,
      maxDegree: 3,
      weighted: false,
      report: { compression: 'gzip', entries: 9, loopsRemoved: 1, duplicatesMerged: 1, reverseArcsAdded: 5 },
    })
  })

  test('a second import under the same name is refused, and changes nothing', async () => {
    const before = await cli.json('datasets')
    const { code, stderr } = await cli.run('import', 'cities.txt.gz')
    expect(code).toBe(2)
    expect(linesOf(stderr)).toEqual([expect.stringMatching(/"cities" already.*--name/)])
    expect(await cli.json('datasets')).toEqual(before)
    expect(readdirSync(join(cli.library, 'datasets'))).toHaveLength(1)
  })

  test('run prints one document with the fields of the contract', async () => {
    const words = ['run', 'cities', '--verify', '--devices', 'cpu:0', '--name', 'first', '--json']
    // A program of its own: its streams are those that a person sees.
    const { code, stdout, stderr } = await cli.start(...words).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(linesOf(stdout)).toHaveLength(1)
    const document = JSON.parse(stdout) as RunDocument
    expect(Object.keys(document)).toEqual([
      ...['algorithm', 'dataset', 'devices', 'options', 'result', 'rounds', 'time', 'bytes', 'passes', 'verified'],
      ...['upperBound', 'resumed', 'run', 'plan', 'counters', 'series', 'files'],
    ])
    expect(document).toMatchObject({
      algorithm: 'ecl-mis',
      dataset: { name: 'cities', vertices: 7, edges: 6, maxDegree: 3 },
      devices: ['cpu:0'],
      options: { priority: 'degree', seed: 0 },
      result: { kind: 'independent-set', size: 3, fraction: 3 / 7, hash: expect.stringMatching(/^[0-9a-f]{16}$/) },
      verified: true,
    })
    expect(document.upperBound).toBeGreaterThanOrEqual(3)
  })

  test('runs lists it, and shows its record', async () => {
    const { runs } = await cli.json<{ runs: object[] }>('runs')
    expect(runs).toMatchObject([{ state: 'done', name: 'first', dataset: 'cities', size: 3, verified: true }])
    const { run } = await cli.json<{ run: { record: object } }>('runs', 'show', 'first')
    expect(run.record).toMatchObject({
      dataset: {
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
        sourceSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      versions: { node: expect.stringMatching(/^24\./) },
    })
  })

  test('its set is exported in the ids of the file, in every format, with the record beside', async () => {
    const files = ['set.txt', 'set.csv', 'set.bits', 'set.npy']
    for (const file of files) await cli.json('export', 'first', '--output', file)
    const members = ids('set.txt')
    expect(members).toHaveLength(3)
    expect(members).toContain('50')
    const rows = ids('set.csv')
    expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual(['10', '20', '30', '40', '50', '60', '70'])
    expect(rows.filter((row) => row.endsWith(',1')).map((row) => row.split(',')[0])).toEqual(members)
    const bits = readFileSync(join(cli.folder, 'set.bits'))
    expect([0, 1, 2, 3, 4, 5, 6].filter((v) => (bits[0]! >> v) & 1).map((v) => String(10 * (v + 1)))).toEqual(members)
    expect(readFileSync(join(cli.folder, 'set.npy')).subarray(1, 6).toString()).toBe('NUMPY')
    for (const file of files) expect(existsSync(join(cli.folder, `${file}.run.json`))).toBe(true)
  })

  test('the exported set verifies as a file by any program would, and so does the run', async () => {
    const own = await cli.json<{ verified: boolean; hash: string }>('verify', 'first')
    const foreign = await cli.json<{ verified: boolean; hash: string }>('verify', 'cities', '--set', 'set.txt')
    expect([own.verified, foreign.verified]).toEqual([true, true])
    expect(foreign.hash).toBe(own.hash)
  })

  test.each([
    ['two joined', '10\n20\n50\n60\n', 'independent', /\b10\b.*\b20\b/],
    ['one missing', '10\n50\n', 'maximal', /\b[67]0\b/],
    ['an empty set', '', 'maximal', /\d0\b/],
  ])('a set with %s fails with 3 and its witness', async (_what, content, law, witness) => {
    cli.write('bad.txt', content)
    const { code, stdout, stderr } = await cli.run('verify', 'cities', '--set', 'bad.txt', '--json')
    expect(code).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({ verified: false, law, sentence: expect.stringMatching(witness) })
    expect(linesOf(stderr)).toEqual([expect.stringMatching(witness)])
  })

  test('a set with an unknown id is bad input, with its line', async () => {
    cli.write('bad.txt', '10\n99\n')
    const { code, stderr } = await cli.run('verify', 'cities', '--set', 'bad.txt')
    expect(code).toBe(2)
    expect(linesOf(stderr)).toEqual([expect.stringMatching(/bad\.txt:2: .*99/)])
  })
})

describe('the same set again', () => {
  test('for every number of batches, and in a second run', async () => {
    for (const priority of ['degree', 'ecl', 'hash']) {
      const hashes = []
      for (const batches of priority === 'degree' ? ['1', '17', '1'] : ['1', '3'])
        hashes.push(
          await cli.json<RunDocument>(
            'run',
            'cities',
            '--devices',
            'cpu:0',
            '--priority',
            priority,
            '--batches',
            batches,
          ),
        )
      expect(new Set(hashes.map(({ result }) => result.hash)).size).toBe(1)
      expect(hashes[0]!.result.size).toBe(3)
    }
  })

  test('keep, exclude and a column decide', async () => {
    cli.write('keep.txt', '30\n')
    cli.write('exclude.txt', '60\n')
    const options = ['--devices', 'cpu:0', '--verify']
    const kept = await cli.json<RunDocument>(
      ...['run', 'cities', '--keep', 'keep.txt', '--exclude', 'exclude.txt', '--output', 'kept.txt', ...options],
    )
    expect(kept.verified).toBe(true)
    expect(ids('kept.txt')).toEqual(['30', '50', '70'])
    expect(await cli.json('verify', kept.run)).toMatchObject({ verified: true, hash: kept.result.hash })
    cli.write('column.csv', ['10,1', '20,2', '30,3', '40,9', '50,1', '60,5', '70,6', ''].join('\n'))
    await cli.json('run', 'cities', '--column', 'column.csv', '--output', 'column.txt', ...options)
    expect(ids('column.txt')).toEqual(['20', '40', '70'])
  })
})

describe('run on a file', () => {
  test('imports it once, and knows it again', async () => {
    cli.write('pair.csv', 'source,target\na,b\n')
    const first = await cli.json<RunDocument>('run', 'pair.csv', '--devices', 'cpu:0')
    const second = await cli.json<RunDocument>('run', 'pair.csv', '--devices', 'cpu:0')
    expect(first).toMatchObject({ dataset: { name: 'pair', vertices: 2, edges: 1 }, verified: null, upperBound: null })
    expect(second.result).toEqual(first.result)
    const { datasets } = await cli.json<{ datasets: { name: string }[] }>('datasets')
    expect(datasets.map(({ name }) => name)).toEqual(['cities', 'pair'])
  })

  test('refuses another file of the same name', async () => {
    cli.write('pair.csv', 'source,target\na,b\nb,c\n')
    const { code, stderr } = await cli.run('run', 'pair.csv')
    expect(code).toBe(2)
    expect(linesOf(stderr)).toEqual([expect.stringMatching(/pair\.csv: .*"pair" already, made from something else/)])
  })

  test('leaves nothing of a file that is no graph', async () => {
    const before = readdirSync(join(cli.library, 'datasets'))
    cli.write('broken.mtx', '%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n9 1\n')
    const { code, stderr } = await cli.run('run', 'broken.mtx')
    expect(code).toBe(2)
    expect(linesOf(stderr)).toEqual([expect.stringMatching(/broken\.mtx:4: /)])
    expect(readdirSync(join(cli.library, 'datasets'))).toEqual(before)
  })
})

describe('housekeeping', () => {
  test('rename, then remove: the files go, the runs stay', async () => {
    await cli.json('datasets', 'rename', 'pair', 'couple')
    expect(await cli.json('datasets', 'remove', 'couple')).toEqual({ removed: 'couple' })
    expect(readdirSync(join(cli.library, 'datasets'))).toHaveLength(1)
    const { runs } = await cli.json<{ runs: { id: string; dataset: string }[] }>('runs')
    const orphan = runs.find(({ dataset }) => dataset === 'pair')!
    const { code, stderr } = await cli.run('export', orphan.id)
    expect(code).toBe(2)
    expect(stderr).toMatch(/dataset "pair" was removed/)
    expect(await cli.json('runs', 'remove', orphan.id)).toEqual({ removed: orphan.id })
    expect(existsSync(join(cli.library, 'runs', orphan.id))).toBe(false)
  })

  test('for people: aligned tables on stdout', async () => {
    const { stdout } = await cli.run('datasets')
    expect(linesOf(stdout)[0]).toMatch(/^name\s+vertices\s+edges\s+max degree/)
    expect(linesOf(stdout)[1]).toMatch(/^cities\s+7\s+6\s+3/)
    expect((await cli.run('run', 'cities', '--devices', 'cpu:0', '--verify')).stdout).toMatch(/independent and maximal/)
  })
})
