import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { adjacencyFile } from '../../support/adjacency-files.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('formats')
const launcher = resolve(import.meta.dirname, '../../../electron/launch.mjs')

function anticlique(words: readonly string[], input?: string | Buffer) {
  const args = [launcher, '--library', join(folder, 'library'), ...words, '--json']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, input, encoding: 'utf8' })
  return { status, stderr, document: stdout === '' ? null : (JSON.parse(stdout) as Record<string, never>) }
}

it('a binary graph on standard input, out as Arrow, back in: the same graph', () => {
  const piped = anticlique(['import', '-', '--name', 'piped'], readFileSync(fixturePath('galois/v2-odd-padded.gr')))
  expect(piped).toMatchObject({ status: 0, document: { dataset: { name: 'piped', vertices: 3, edges: 3 } } })
  const output = join(folder, 'graph.arrow')
  const written = anticlique(['datasets', 'export', 'piped', '--format', 'arrow', '--output', output])
  expect(written).toMatchObject({ status: 0, document: { files: [output], vertices: 3, arcs: 6 } })
  const back = anticlique(['import', output, '--name', 'back'])
  const checksum = (piped.document!['dataset'] as { checksum: string }).checksum
  expect(back).toMatchObject({ status: 0, document: { dataset: { checksum } } })
})

it('a run leaves a canonical file where it is, and refuses it once it changed; a copy stays', () => {
  const [file, away] = [join(folder, 'triangle.egr'), join(folder, 'away.egr')]
  const neighbours = [
    [1, 2],
    [0, 2],
    [0, 1],
  ]
  writeFileSync(file, adjacencyFile('egr', { vertices: 3, neighbours, weights: null }))
  const first = anticlique(['run', file, '--devices', 'cpu:0', '--verify'])
  expect(first).toMatchObject({ status: 0, document: { dataset: { name: 'triangle' }, verified: true } })
  expect(anticlique(['datasets', 'show', 'triangle'])).toMatchObject({ document: { dataset: { linked: file } } })
  expect(anticlique(['run', file, '--devices', 'cpu:0'])).toMatchObject({ status: 0 })

  renameSync(file, away)
  const refused = { status: 2, document: { error: { code: 'input', where: file } } }
  expect(anticlique(['run', 'triangle', '--devices', 'cpu:0'])).toMatchObject(refused)
  writeFileSync(file, 'something else')
  expect(anticlique(['verify', 'latest'])).toMatchObject({ status: 2 })
  expect(anticlique(['run', file, '--devices', 'cpu:0'])).toMatchObject(refused)

  renameSync(away, file)
  expect(anticlique(['datasets', 'store', 'triangle'])).toMatchObject({
    status: 0,
    document: { dataset: { linked: null } },
  })
  rmSync(file)
  const hash = (first.document!['result'] as { hash: string }).hash
  expect(anticlique(['run', 'triangle', '--devices', 'cpu:0'])).toMatchObject({
    status: 0,
    document: { result: { hash } },
  })
  writeFileSync(join(folder, 'path.txt'), '1 2\n')
  expect(anticlique(['import', '--link', 'path.txt'])).toMatchObject({
    status: 2,
    document: { error: { code: 'input' } },
  })
})

it('columns, a threshold and several files', () => {
  writeFileSync(join(folder, 'a.csv'), 'x,from,to,w\n1,a,b,0.5\n2,b,c,2\n')
  writeFileSync(join(folder, 'b.csv'), 'x,from,to,w\n3,c,d,7\n')
  const options = ['--name', 'both', '--weight-column', 'w', '--where', 'w>=1']
  expect(anticlique(['import', 'a.csv', 'b.csv', ...options])).toMatchObject({
    status: 0,
    document: { dataset: { edges: 2, source: 'a.csv, b.csv', report: { filtered: 1, entries: 2 } } },
  })
})

it.each([2, 3])('a small file is imported by %i threads where a person says so', (threads) => {
  const file = join(folder, 'small.txt')
  writeFileSync(file, '1 2\n2 3\n3 4\n')
  const imported = anticlique(['import', file, '--name', `small${threads}`, '--threads', String(threads)])
  expect(imported).toMatchObject({ status: 0, stderr: '', document: { dataset: { vertices: 4, edges: 3 } } })
})

it('what cannot be read ends with exit code 2 and names the place', () => {
  const refused = anticlique(['import', '-', '--name', 'bad'], '1 2 3\n2 3 -1\n')
  expect(refused).toMatchObject({ status: 2, document: { error: { code: 'input', where: 'standard input:2' } } })
})

it('each graph of a file becomes a dataset, and what is none is said', () => {
  writeFileSync(join(folder, 'three.g6'), 'A_\nB\nC~\n')
  const { status, stderr, document } = anticlique(['import', 'three.g6', '--all', '--name', 'all'])
  const { datasets, failed } = document as unknown as { datasets: { name: string }[]; failed: object[] }
  expect(status).toBe(2)
  expect(stderr).toContain('three.g6:2: the line ends 1 bytes too early')
  expect(datasets.map(({ name }) => name)).toEqual(['all-three-1', 'all-three-3'])
  expect(failed).toMatchObject([{ graph: '2' }])
  writeFileSync(join(folder, 'three.g6'), 'A_\nBw\nC~\n')
  const made = anticlique(['import', 'three.g6', '--all', '--name', 'each'])
  expect(made).toMatchObject({
    status: 0,
    document: {
      datasets: [
        { name: 'each-three-1', vertices: 2, edges: 1 },
        { name: 'each-three-2', vertices: 3, edges: 3 },
        { name: 'each-three-3', vertices: 4, edges: 6 },
      ],
    },
  })
  expect(anticlique(['import', 'three.g6', '--all', '--member', '2'])).toMatchObject({ status: 2 })
})

it('weights of vertices in a METIS file are those that the built program adds up', () => {
  writeFileSync(join(folder, 'path4.graph'), '4 3 10\n1000 2\n5000 1 3\n300 2 4\n4000 3\n')
  const weighed = ['--weights', 'column', '--attribute', 'weight', '--quality', 'better', '--verify']
  const heaviest = anticlique(['run', 'path4.graph', '--devices', 'cpu:0', ...weighed])
  expect(heaviest).toMatchObject({ status: 0, document: { verified: true, result: { size: 2, weight: 9000 } } })
})
