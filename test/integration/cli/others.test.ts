import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CommandLineHere } from './command-line.ts'

interface Ran {
  readonly result: { readonly hash: string }
  readonly rerun: { readonly of: string; readonly hash: string; readonly same: boolean }
}

test('a record repeats its run: by the dataset of another name, by the file, never by another graph', async () => {
  const cli = new CommandLineHere()
  cli.write('wheel.txt', Array.from({ length: 9 }, (_, v) => `hub v${v}\nv${v} v${(v + 1) % 9}\n`).join(''))
  const options = ['--priority', 'hash', '--seed', '7', '--output', 'set.txt', '--trace', 'trace.json']
  const first = await cli.json<Ran>('run', 'wheel.txt', ...options)
  await cli.json('datasets', 'rename', 'wheel', 'other')
  rmSync(join(cli.folder, 'trace.json'))
  const again = await cli.json<Ran>('rerun', 'set.txt.run.json', '--devices', 'cpu:0', '--output', 'again.txt')
  expect(again.rerun).toEqual({ of: expect.any(String), hash: first.result.hash, same: true })
  expect(readFileSync(join(cli.folder, 'again.txt'), 'utf8')).toBe(readFileSync(join(cli.folder, 'set.txt'), 'utf8'))

  await cli.json('datasets', 'remove', 'other')
  expect((await cli.json<Ran>('rerun', 'set.txt.run.json')).result.hash).toBe(first.result.hash)

  const recordFile = join(cli.folder, 'set.txt.run.json')
  const record = JSON.parse(readFileSync(recordFile, 'utf8')) as { hash: string; dataset: { checksum: string } }
  writeFileSync(recordFile, JSON.stringify({ ...record, hash: '0123456789abcdef' }))
  const wrong = await cli.run('rerun', 'set.txt.run.json')
  expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('0123456789abcdef')])

  writeFileSync(recordFile, JSON.stringify({ ...record, dataset: { ...record.dataset, checksum: 'f'.repeat(64) } }))
  const gone = await cli.run('rerun', 'set.txt.run.json')
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('does not give the graph of the record')])
  expect((await cli.run('rerun', 'wheel.txt')).stderr).toContain('this is no archive of a run')
})

test('sets of other programs are read in the form that they have', async () => {
  const cli = new CommandLineHere()
  cli.write('path.txt', '10 20\n20 30\n30 40\n')
  await cli.json('import', 'path.txt')
  const verified = async (text: string, ...form: string[]): Promise<number | null> => {
    cli.write('set.txt', text)
    return (await cli.run('verify', 'path', '--set', 'set.txt', ...form)).code
  }
  // 10 and 40; 20 and 30 would be neighbours.
  expect(await verified('10\n40\n')).toBe(0)
  expect(await verified('1\n0\n0\n1\n')).toBe(0)
  expect(await verified('0\n1\n1\n0\n')).toBe(3)
  expect(await verified('1\n4\n', '--set-form', 'from-1')).toBe(0)
  expect(await verified('1\n5\n', '--set-form', 'from-1')).toBe(2)
  expect(await verified('1\n0\n1\n', '--set-form', '0-1')).toBe(2)
  expect(await verified('1\n0\n2\n0\n', '--set-form', '0-1')).toBe(2)
  expect(await verified('1\n0\n0\n1\n', '--set-form', 'ids')).toBe(2)
})

test('a bare edge list has edges alone, and what it cannot carry is refused', async () => {
  const cli = new CommandLineHere()
  cli.write('named.csv', 'source,target\na,b\nb,"c d"\n')
  cli.write('plain.csv', 'source,target\na,b\nb,c\n')
  for (const name of ['named', 'plain']) await cli.json('import', `${name}.csv`)
  const args = ['--format', 'edge-list', '--bare', '--output', 'bare.txt']
  await cli.json('datasets', 'export', 'plain', ...args)
  expect(readFileSync(join(cli.folder, 'bare.txt'), 'utf8')).toBe('a\tb\nb\tc\n')
  const refused = await cli.run('datasets', 'export', 'named', ...args)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('"c d"')])
  const csv = await cli.run('datasets', 'export', 'plain', '--format', 'csv', '--bare', '--output', 'bare.csv')
  expect([csv.code, csv.stderr]).toEqual([2, expect.stringContaining('csv has no comment')])
})

test('the record of eccentricities names its roots as the graph does, and as the verifier searches from them', async () => {
  const cli = new CommandLineHere()
  cli.write('path.txt', '10 20\n20 30\n30 40\n')
  await cli.json('import', 'path.txt')
  const words = ['run', 'path', '--algorithm', 'eccentricities', '--devices', 'cpu:0', '--verify']
  const { options } = await cli.json<{ options: { readonly roots: string; readonly rootIds: string } }>(...words)
  const { roots, rootIds } = options
  const labels = JSON.parse(rootIds) as string[]
  expect(labels.length).toBeGreaterThan(1)
  expect(labels).toEqual(roots.split(' ').map((root) => String(10 * (Number(root) + 1))))
})
