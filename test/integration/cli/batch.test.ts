import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { randomSmallGraph } from '../../support/graphs.ts'
import { CommandLine, CommandLineHere } from './command-line.ts'

interface Answer {
  readonly id?: unknown
  readonly index: number
  readonly error?: { readonly code: string; readonly what: string; readonly where?: string }
  readonly result?: { readonly hash: string }
  readonly verified?: boolean | null
  readonly upperBound?: number | null
  readonly members?: readonly unknown[]
  readonly pairs?: readonly unknown[]
  readonly values?: readonly unknown[]
}

const linesOf = (text: string): Answer[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)

async function batch(cli: CommandLine, rows: readonly (object | string)[], ...words: string[]): Promise<Answer[]> {
  cli.write('rows.jsonl', rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join(''))
  const { code, stdout, stderr } = await cli.run('batch', 'rows.jsonl', ...words)
  expect([code, stderr]).toEqual([0, ''])
  return linesOf(stdout)
}

/** Edges of a graph, each once. */
const edgesOf = (neighbours: readonly (readonly number[])[]): [number, number][] =>
  neighbours.flatMap((list, u) => list.filter((v) => u < v).map((v): [number, number] => [u, v]))

test('answers are those of single runs, in the order of the rows', async () => {
  const cli = new CommandLineHere()
  const asked = [
    { algorithm: 'ecl-mis' },
    { algorithm: 'ecl-mis', priority: 'hash', seed: 3 },
    { algorithm: 'ld-gpu' },
    { algorithm: 'colouring' },
    { algorithm: 'ecl-mis', quality: 'swap:2' },
  ]
  const graphs = asked.map((_, number) => randomSmallGraph(40 + number, 150).graph)
  const rows = asked.map((options, number) => {
    const { vertices: n, neighbours } = graphs[number]!
    return { id: `g${number}`, n, edges: edgesOf(neighbours), verify: true, ...options }
  })
  const answers = await batch(new CommandLine(), rows, '--parallel', '3')
  expect(answers.map(({ id, index }) => [id, index])).toEqual(rows.map(({ id }, at) => [id, at]))
  for (const [number, { algorithm, ...options }] of asked.entries()) {
    const { vertices, neighbours } = graphs[number]!
    const edges = edgesOf(neighbours)
    const head = `%%MatrixMarket matrix coordinate pattern symmetric\n${vertices} ${vertices} ${edges.length}\n`
    cli.write(`g${number}.mtx`, head + edges.map(([u, v]) => `${v + 1} ${u + 1}\n`).join(''))
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
    const words = ['run', `g${number}.mtx`, '--algorithm', algorithm, '--devices', 'cpu:0', '--verify', ...flags]
    const single = await cli.json<Answer>(...words)
    const { result, verified, upperBound } = answers[number]!
    expect({ result, verified, upperBound }).toEqual({
      result: single.result,
      verified: true,
      upperBound: single.upperBound,
    })
  }
})

test('graphs come by edges, weights, graph6, files and datasets, with lists and ids of their own; what cannot be is a row with an error', async () => {
  const cli = new CommandLineHere()
  cli.write('named.csv', 'source,target\na,b\nb,c\n')
  cli.write('path.txt', '10 20\n20 30\n')
  await cli.json('import', 'path.txt')
  const path = { n: 4, edges: [0, 1, 1, 2, 2, 3] }
  const answers = await batch(cli, [
    { ...path, keep: [1] },
    { ...path, exclude: [0, 3], algorithm: 'ecl-mis' },
    { ...path, column: [1, 9, 1, 5] },
    {
      n: 3,
      edges: [
        [0, 1],
        [1, 2],
        [1, 1],
        [2, 1],
      ],
      weights: [1, 2, 7, 3],
      algorithm: 'ld-gpu',
    },
    { graph6: 'DQc' },
    { file: 'named.csv', keep: ['b'] },
    { dataset: 'path', algorithm: 'bfs', root: '10' },
    { ...path, algorithm: 'bfs', root: '3', edges: [[2, 3]] },
    { n: 0, edges: [] },
    '{"n": 2',
    { id: 7, n: 2, edges: [[0, 2]] },
    { n: 2, edges: [[0, 1]], weights: [-1], algorithm: 'ld-gpu' },
    { n: 2, edges: [[0, 1]], colour: 'red' },
    { n: 2, edges: [[0, 1]], algorithm: 'bfs', priority: 'hash' },
    { file: 'gone.txt' },
    { id: 'last', ...path },
  ])
  const results = answers.map(({ members, pairs, values }) => members ?? pairs ?? values)
  const chosen = [[1, 3], [1], [1, 3], [[1, 2]], [0, 1], ['b'], [0, 1, 2], [null, null, 1, 0], []]
  expect(results.slice(0, 3)).toEqual([[1, 3], results[1], [1, 3]])
  expect(results.slice(3, 4)).toEqual([[[1, 2]]])
  expect(results.slice(5, 9)).toEqual(chosen.slice(5, 9))
  expect(results[1]!.every((v) => v === 1 || v === 2)).toBe(true)
  expect(answers.slice(9, 15).map(({ error }) => error?.what)).toEqual([
    'this is no object of JSON',
    'vertex 2 is not one of 2',
    'the weight -1 of the edge between 0 and 1 is no number above zero',
    'there is no such option',
    expect.stringContaining('it belongs to'),
    expect.stringContaining('no such file'),
  ])
  expect(answers[10]).toMatchObject({ id: 7, index: 10 })
  expect(answers[15]).toMatchObject({ id: 'last', members: expect.any(Array) })
})

test('a batch goes on behind the whole answers of its file; folders and lines of graph6 are rows, too', async () => {
  const cli = new CommandLineHere()
  const rows = Array.from({ length: 30 }, (_, at) => ({ id: at, n: 3 + at, edges: [[0, 1 + (at % 2)]] }))
  cli.write('rows.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const words = ['batch', 'rows.jsonl', '--output', 'answers.jsonl']
  expect(await cli.json(...words)).toMatchObject({ rows: 30, errors: 0, answeredBefore: 0 })
  const path = join(cli.folder, 'answers.jsonl')
  const untimed = (text: string): object[] => linesOf(text).map((answer) => ({ ...answer, time: null }))
  const whole = readFileSync(path, 'utf8')
  // As a program that was killed leaves it.
  const lines = whole.split('\n')
  writeFileSync(path, `${lines.slice(0, 11).join('\n')}\n`)
  appendFileSync(path, lines[11]!.slice(0, 20))
  expect(await cli.json(...words, '--resume')).toMatchObject({ rows: 19, answeredBefore: 11 })
  expect(untimed(readFileSync(path, 'utf8'))).toEqual(untimed(whole))

  mkdirSync(join(cli.folder, 'graphs'))
  cli.write('graphs/b.txt', '1 2\n')
  cli.write('graphs/a.txt', '1 2\n2 3\n')
  const folder = linesOf((await cli.run('batch', 'graphs')).stdout)
  expect(folder.map(({ id, members }) => [id, members?.length])).toEqual([
    ['a.txt', 2],
    ['b.txt', 1],
  ])
  cli.write('graphs/README.md', 'of a lab')
  expect(spawnSync('tar', ['czf', 'graphs.tgz', 'graphs'], { cwd: cli.folder }).status).toBe(0)
  expect(spawnSync('python3', ['-m', 'zipfile', '-c', 'graphs.zip', 'graphs'], { cwd: cli.folder }).status).toBe(0)
  for (const archive of ['graphs.tgz', 'graphs.zip']) {
    const unpacked = linesOf((await cli.run('batch', archive)).stdout)
    expect(unpacked.map(({ id, result }) => [id, result])).toEqual(
      folder.map(({ id, result }) => [`graphs/${String(id)}`, result]),
    )
  }
  writeFileSync(join(cli.folder, 'cut.tgz'), readFileSync(join(cli.folder, 'graphs.tgz')).subarray(0, 90))
  expect((await cli.run('batch', 'cut.tgz')).code).toBe(2)
  cli.write('two.g6', '>>graph6<<DQc\nBw\n')
  expect(linesOf((await cli.run('batch', 'two.g6')).stdout).map(({ members }) => members?.length)).toEqual([3, 1])
  expect((await cli.run('batch', 'rows.jsonl', '--resume')).code).toBe(2)
})
