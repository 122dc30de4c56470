import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CommandLineHere } from './command-line.ts'

interface Ran {
  readonly result: { readonly hash: string }
  readonly upperBound: number
  readonly rerun: { readonly same: boolean }
}

/** The checker alone, with an archive or a folder. */
function checked(...words: string[]) {
  const checker = join(import.meta.dirname, '../../../resources/archive/check.py')
  const { status, stdout, stderr } = spawnSync('python3', [checker, ...words], { encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

test('an archive is checked without the program, and repeats its run elsewhere', async () => {
  const [home, away] = [new CommandLineHere(), new CommandLineHere()]
  const row = (v: number): string =>
    `n${v} n${(7 * v + 3) % 40} ${0.1 + (v % 5)}\nn${v} n${(v + 1) % 40} 16777217.${v % 3}\n`
  home.write('named.txt', Array.from({ length: 40 }, (_, v) => row(v)).join(''))
  home.write('closed.txt', 'n3\nn5\n')
  await home.json('import', 'named.txt')
  const set = await home.json<Ran>('run', 'named', '--devices', 'cpu:0', '--exclude', 'closed.txt', '--verify')
  await home.json('archive', 'latest', '--output', 'set.tar')
  const matched = await home.json<Ran>('run', 'named', '--devices', 'cpu:0', '--algorithm', 'ld-gpu', '--verify')
  await home.json('archive', 'latest', '--output', 'pairs.tar')
  await home.json('archive', 'latest', '--output', 'bare.tar', '--without-graph')
  const partners = ['run', 'named', '--devices', 'cpu:0', '--algorithm', 'b-suitor', '--capacity', '3', '--verify']
  const shared = await home.json<Ran>(...partners)
  await home.json('archive', 'latest', '--output', 'partners.tar')
  const at = (name: string): string => join(home.folder, name)

  const whole = checked(at('set.tar'))
  expect([whole.status, whole.text]).toEqual([0, expect.stringContaining('ok: maximal')])
  expect(whole.text).toContain(`no set has more than ${set.upperBound} members`)
  expect(whole.text).toContain(`hash ${set.result.hash}`)
  const pairs = checked(at('pairs.tar'))
  expect(pairs).toEqual({ status: 0, text: expect.stringContaining('none can be added') })
  const [, proved] = /no matching weighs more than ([\d.]+):/.exec(pairs.text) ?? []
  expect(Number(proved)).toBeCloseTo(matched.upperBound, 6)
  // Prices that are too low leave more of the edges: without any the bound is what all edges weigh.
  const withCertificate = (archive: string, change: (text: string) => string): string => {
    const folder = at(`${archive}-altered`)
    mkdirSync(folder)
    expect(spawnSync('tar', ['xf', at(archive), '--strip-components=1', '-C', folder]).status).toBe(0)
    const alter = (name: string, how: (text: string) => string): void =>
      writeFileSync(join(folder, name), how(readFileSync(join(folder, name), 'utf8')))
    alter('certificate.txt', change)
    alter('SHA256SUMS', (sums) => sums.replace(/.*certificate\.txt\n/, ''))
    return folder
  }
  const cheaper = checked(withCertificate('pairs.tar', (prices) => prices.replace(/.*/, '0')))
  expect(cheaper).toEqual({ status: 1, text: expect.stringContaining('and the record says') })
  const several = checked(at('partners.tar'))
  expect(several).toEqual({
    status: 0,
    text: expect.stringContaining('no vertex is in too many, and none can be added'),
  })
  const [, most] = /no matching weighs more than ([\d.]+):/.exec(several.text) ?? []
  expect(Number(most)).toBeGreaterThan(0)
  expect(Number(most)).toBeLessThanOrEqual(shared.upperBound * (1 + 1e-9))
  const free = checked(withCertificate('partners.tar', (prices) => prices.replaceAll(/.+/g, '0')))
  expect(free).toEqual({ status: 1, text: expect.stringContaining('and the record says') })
  expect(checked(at('bare.tar')).text).toContain('not checked: the result')

  // What tar itself unpacks, and then a byte of the graph and a member of the set that are others.
  mkdirSync(at('unpacked'))
  expect(spawnSync('tar', ['xf', at('set.tar'), '--strip-components=1', '-C', at('unpacked')]).status).toBe(0)
  expect(checked(at('unpacked')).status).toBe(0)
  const graph = readFileSync(at('unpacked/graph.gr'))
  writeFileSync(at('unpacked/graph.gr'), graph.fill(graph.at(-1)! ^ 1, graph.length - 1))
  expect(checked(at('unpacked'))).toEqual({ status: 1, text: expect.stringContaining('graph.gr is not as it was') })
  const sums = readFileSync(at('unpacked/SHA256SUMS'), 'utf8')
  writeFileSync(at('unpacked/SHA256SUMS'), sums.replace(/.*graph\.gr\n/, ''))
  expect(checked(at('unpacked'))).toEqual({ status: 1, text: expect.stringContaining('not the graph of the record') })

  copyFileSync(at('set.tar'), join(away.folder, 'set.tar'))
  rmSync(home.folder, { recursive: true })
  const again = await away.json<Ran>('rerun', 'set.tar', '--devices', 'cpu:0', '--output', 'set.txt')
  expect([again.result.hash, again.rerun.same]).toEqual([set.result.hash, true])
  expect(readFileSync(join(away.folder, 'set.txt'), 'utf8')).toMatch(/^n\d+\n/)
  away.write('none.tar', 'no archive')
  const refused = await away.run('rerun', 'none.tar')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('this is no archive of a run')])
})
