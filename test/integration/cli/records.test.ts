import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CommandLineHere } from './command-line.ts'

interface Ran {
  readonly result: { readonly hash: string }
  readonly rerun: { readonly same: boolean }
}

/** Thirty of them, of every kind: test/scripts/repeat-records.mjs. */
test('records repeat their runs in another library and folder: a file with options, a list, a generated graph, a complement', async () => {
  const [home, away] = [new CommandLineHere(), new CommandLineHere()]
  const rows = Array.from({ length: 40 }, (_, v) => `${v};${(7 * v + 3) % 40};${v % 3 === 0 ? -2 : v}\n`).join('')
  home.write('table.csv', `from;to;cost\n${rows}`)
  home.write('keep.txt', '3\n5\n')
  const names = ['--source-column', 'from', '--target-column', 'to', '--weight-column', 'cost', '--delimiter', ';']
  await home.json(
    'import',
    'table.csv',
    ...names,
    '--weight-rule',
    'absolute',
    '--where',
    'cost != 5',
    '--name',
    'costs',
  )
  await home.json(
    'generate',
    'rmat',
    '--scale',
    '7',
    '--edge-factor',
    '4',
    '--seed',
    '5',
    '--shuffle',
    '--name',
    'drawn',
  )
  await home.json('datasets', 'complement', 'drawn', '--name', 'others')
  const asked = [
    ['costs', '--algorithm', 'ld-gpu', '--ties', 'id'],
    ['costs', '--keep', 'keep.txt'],
    ['drawn', '--priority', 'hash', '--seed', '3'],
    ['others', '--priority', 'hash'],
  ]
  const hashes: string[] = []
  for (const [at, words] of asked.entries())
    hashes.push((await home.json<Ran>('run', ...words, '--devices', 'cpu:0', '--output', `r${at}.txt`)).result.hash)
  expect(new Set(hashes).size).toBe(4)
  // Only records and inputs travel.
  for (const name of ['table.csv', ...asked.map((_, at) => `r${at}.txt.run.json`)])
    copyFileSync(join(home.folder, name), join(away.folder, name))
  rmSync(home.folder, { recursive: true })
  for (const [at, hash] of hashes.entries()) {
    const again = await away.json<Ran>('rerun', `r${at}.txt.run.json`, '--devices', 'cpu:0')
    expect([again.result.hash, again.rerun.same], asked[at]!.join(' ')).toEqual([hash, true])
  }

  // A file elsewhere has to be named; another one is not taken.
  const far = new CommandLineHere()
  const record = readFileSync(join(away.folder, 'r0.txt.run.json'), 'utf8')
  writeFileSync(join(far.folder, 'r.run.json'), record)
  mkdirSync(join(far.folder, 'data'))
  copyFileSync(join(away.folder, 'table.csv'), join(far.folder, 'data', 'renamed.csv'))
  const missing = await far.run('rerun', 'r.run.json')
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('--input FILE')])
  const found = await far.json<Ran>('rerun', 'r.run.json', '--input', 'data/renamed.csv', '--devices', 'cpu:0')
  expect(found.rerun.same).toBe(true)
  far.write('other.csv', `from;to;cost\n1;2;3\n`)
  await far.json('datasets', 'remove', (await far.json<{ datasets: { name: string }[] }>('datasets')).datasets[0]!.name)
  const wrong = await far.run('rerun', 'r.run.json', '--input', 'other.csv')
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('does not give the graph of the record')])
})
