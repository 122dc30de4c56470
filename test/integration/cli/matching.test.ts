import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CommandLine } from './command-line.ts'

interface MatchingDocument {
  readonly run: string
  readonly options: Record<string, unknown>
  readonly result: { readonly kind: string; readonly pairs: number; readonly weight: number; readonly hash: string }
  readonly verified: boolean
  readonly counters: Record<string, number>
}

/** A path a - b - c - d whose middle edge is the heaviest, and a lighter pair beside. */
const edges = 'a b 2\nb c 3\nc d 2\ne f 0.5\n'

test('a matching from a file of edges to pairs, aggregates and a check of both', async () => {
  const cli = new CommandLine()
  const file = cli.write('path.tsv', edges)
  const found = await cli.json<MatchingDocument>('run', file, '--algorithm', 'ld-gpu', '--verify', '--output', 'm.csv')
  expect(found).toMatchObject({
    options: { method: 'ordered', weights: 'column', ties: 'hash', seed: 0 },
    result: { kind: 'matching', pairs: 2, weight: 3.5 },
    verified: true,
  })
  expect(found.counters['mmeps']).toBeGreaterThan(0)
  expect(readFileSync(join(cli.folder, 'm.csv'), 'utf8')).toBe('source,target\nb,c\ne,f\n')
  await cli.json('export', 'latest', '--format', 'aggregate', '--output', 'coarse.csv')
  const coarse = readFileSync(join(cli.folder, 'coarse.csv'), 'utf8')
  expect(coarse).toBe('id,aggregate\na,0\nb,1\nc,1\nd,2\ne,3\nf,3\n')

  const checked = await cli.json<object>('verify', 'latest')
  expect(checked).toMatchObject({ verified: true, size: 2, weight: 3.5, hash: found.result.hash })
  const theirs = cli.write('theirs.txt', 'b a\nc d\ne f\n')
  expect(await cli.json('verify', 'path', '--pairs', theirs)).toMatchObject({ verified: true, size: 3, weight: 4.5 })
  const dominant = await cli.run('verify', 'path', '--pairs', theirs, '--ties', 'id')
  expect(dominant.code).toBe(3)
  expect(dominant.stderr).toContain('not locally dominant: vertices b and c')
  const gap = await cli.run('verify', 'path', '--pairs', cli.write('gap.txt', 'b,c\n'))
  expect(gap.stderr).toContain('not maximal: vertices e and f are neighbours, and neither has a mate')
  const bits = await cli.run('export', 'latest', '--format', 'bits', '--output', 'm.bits')
  expect(bits).toMatchObject({ code: 2, stderr: expect.stringContaining('--format bits') as string })
})
