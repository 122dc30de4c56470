import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CommandLineHere } from './command-line.ts'

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
  const cli = new CommandLineHere()
  const file = cli.write('path.tsv', edges)
  const found = await cli.json<MatchingDocument>('run', file, '--algorithm', 'ld-gpu', '--verify', '--output', 'm.csv')
  expect(found).toMatchObject({
    options: { method: 'ordered', weights: 'column', ties: 'hash', seed: 0 },
    result: { kind: 'matching', pairs: 2, weight: 3.5 },
    verified: true,
  })
  expect(found.counters['mmeps']).toBeGreaterThan(0)
  expect(readFileSync(join(cli.folder, 'm.csv'), 'utf8')).toBe('source,target,weight\nb,c,3\ne,f,0.5\n')
  await cli.json('export', 'latest', '--format', 'aggregate', '--output', 'coarse.csv')
  const coarse = readFileSync(join(cli.folder, 'coarse.csv'), 'utf8')
  expect(coarse).toBe('id,aggregate\na,0\nb,1\nc,1\nd,2\ne,3\nf,3\n')

  // What was exported is read again, as pairs and as a graph.
  expect(await cli.json('verify', 'path', '--pairs', 'm.csv')).toMatchObject({ verified: true, weight: 3.5 })
  expect(await cli.json('import', 'm.csv', '--name', 'again')).toMatchObject({ dataset: { arcs: 4, weighted: true } })

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
  expect(bits).toMatchObject({ code: 2, stderr: expect.stringContaining('written as bits') as string })
})

test('coarser graphs: pairs contracted, weights of parallel edges added up, level by level', async () => {
  const cli = new CommandLineHere()
  //  a - b   0.5, and 3 from each to c; c - d 8; d - e 4
  cli.write('small.tsv', 'a b 0.5\na c 3\nb c 3\nc d 8\nd e 4\n')
  await cli.json('import', 'small.tsv', '--name', 'small')
  // What goes between the levels is in the library, and nothing of it stays.
  const words = ['--json', 'coarsen', 'small', '--vertices', '2', '--devices', 'cpu:0']
  const made = await cli.launched(['env'], { TMPDIR: join(cli.folder, 'nowhere') }, ...words)
  const { levels } = JSON.parse(made.stdout) as { levels: object[] }
  expect(readdirSync(join(cli.folder, 'library', 'datasets')).filter((name) => /^\.|partial/.test(name))).toEqual([])
  expect(levels).toMatchObject([
    { level: 1, dataset: 'small-1', vertices: 3, edges: 2 },
    { level: 2, dataset: 'small-2', vertices: 2, edges: 1 },
  ])
  await cli.json('datasets', 'export', 'small-1', '--format', 'edge-list', '--output', 'one.txt')
  const edges = readFileSync(join(cli.folder, 'one.txt'), 'utf8')
    .split('\n')
    .filter((line) => /^\d/.test(line))
  // {a, b}, {c, d}, e.
  expect(edges.map((line) => line.split(/\s+/).slice(0, 3).join(' '))).toEqual(['1 2 6', '2 3 4'])
  expect((await cli.run('coarsen', 'small', '--vertices', '2')).stderr).toContain('small-1')
})

test('several partners by a column, to pairs, their check, and an archive that checks itself', async () => {
  const cli = new CommandLineHere()
  cli.write('liking.csv', 'paper,reviewer,score\np,x,3\np,y,2\np,z,1\nq,x,4\nq,y,1\nr,x,2\n')
  const places = cli.write('places.csv', 'p,2\nq,1\nr,1\nx,1\ny,1\nz,0\n')
  const words = ['run', 'liking.csv', '--algorithm', 'b-suitor', '--column', places, '--verify']
  const found = await cli.json<MatchingDocument>(...words, '--output', 'pairs.csv')
  // The best score is q and x, which leaves p and y: z has no room, and neither has x for r.
  expect(readFileSync(join(cli.folder, 'pairs.csv'), 'utf8')).toBe('source,target,weight\np,y,2\nq,x,4\n')
  expect(found).toMatchObject({
    options: { capacity: null, weights: 'column', ties: 'hash' },
    result: { kind: 'b-matching', pairs: 2, weight: 6 },
    verified: true,
    counters: { full: 3 },
  })
  // The numbers are those that the run was given.
  cli.write('places.csv', 'p,0\nq,0\nr,0\nx,0\ny,0\nz,0\n')
  expect(await cli.json('verify', 'latest')).toMatchObject({ verified: true, size: 2, weight: 6 })
  await cli.json('archive', 'latest', '--output', 'run.tar')
  const checker = join(import.meta.dirname, '../../../resources/archive/check.py')
  const { stdout } = spawnSync('python3', [checker, join(cli.folder, 'run.tar')], { encoding: 'utf8' })
  expect(stdout).toContain('ok: pairs are edges, no vertex is in too many, and none can be added')
  const bits = await cli.run('export', 'latest', '--format', 'bits', '--output', 'm.bits')
  expect(bits.stderr).toContain('a b-matching cannot be written as bits')
})

interface PlanDocument {
  readonly plan: { readonly fits: boolean; readonly batches: number; readonly needed: { readonly deviceBytes: number } }
}

test('what a matching takes is planned, and refused before anything is built where it cannot fit', async () => {
  const cli = new CommandLineHere()
  await cli.json('generate', 'rmat', '--scale', '14', '--edge-factor', '8', '--name', 'social')
  const { plan } = await cli.json<PlanDocument>('plan', 'social', '--algorithm', 'ld-gpu')
  expect(plan.fits).toBe(true)
  const run = await cli.json<{ plan: { deviceBytes: number } }>('run', 'social', '--algorithm', 'ld-gpu')
  expect(run.plan.deviceBytes).toBeGreaterThan(8 * 2 ** 14)
  expect(run.plan.deviceBytes).toBeLessThanOrEqual(plan.needed.deviceBytes)
  const small = await cli.run('run', 'social', '--algorithm', 'ld-gpu', '--ties', 'id', '--memory', '100KiB')
  expect(small.code).toBe(2)
  expect(small.stderr).toMatch(
    /the state of 16384 vertices takes [\d.]+ MiB of the device's memory, and 100.0 KiB may be used/,
  )
})

/** Two people and three tasks: KONECT counts each side from 1. */
const costs = '% bip weighted\n% 5 2 3\n1 1 1\n1 2 5\n2 1 2\n2 2 9\n2 3 8\n'

test('costs of a bipartite file: an import that inverts them, and one task each', async () => {
  const cli = new CommandLineHere()
  const file = cli.write('out.tasks', costs)
  await cli.json('import', file, '--format', 'konect', '--invert', '--name', 'tasks')
  const { result } = await cli.json<MatchingDocument>('run', 'tasks', '--algorithm', 'ld-gpu', '--output', 'pairs.csv')
  const lines = readFileSync(join(cli.folder, 'pairs.csv'), 'utf8').trimEnd().split('\n').slice(1)
  // The cheapest edge first: 1 - 1 costs 1; then of 2's tasks the third costs 8, not 9.
  expect(result).toMatchObject({ pairs: 2, weight: 9 + 2 })
  expect(lines).toHaveLength(2)
  const sides = lines.map((line) => line.split(',').slice(0, 2))
  expect(new Set(sides.flat()).size).toBe(4)
})
