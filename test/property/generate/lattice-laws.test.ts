import { expect, it } from 'vitest'
import type { GenerateArgs } from '../../../workers/contract/jobs.ts'
import { graphModel } from '../../../workers/generate/graph-model.ts'
import { LatticeLists } from '../../../workers/generate/lattice-lists.ts'
import { EntryOutput } from '../../../workers/graph/entries.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { generateGraph } from '../../../workers/jobs/generate-graph.ts'
import { readDataset, Workplace } from '../../support/ingest-cases.ts'
import { eachTuple } from '../../support/tuples.ts'
import { randomStream } from '../../support/graphs.ts'

const work = new Workplace()

type Args = Omit<GenerateArgs, 'folder'>

const shapes = [
  ...[1, 2, 3, 4].map((side) => [side, side, side] as const),
  ...([
    [1, 1, 7],
    [1, 6, 1],
    [5, 1, 1],
    [2, 1, 3],
    [4, 2, 6],
    [3, 4, 2],
    [7, 5, 3],
    [1, 2, 2],
    [6, 9, 4],
  ] as const),
]

const cases: Args[] = shapes.flatMap(([width, height, depth]) => [
  { model: 'torus3', width, height, depth, seed: 1 },
  { model: 'grid3', width, height, depth, seed: 1 },
  { model: 'grid', rows: height, columns: width * depth, seed: 1 },
])

/** From the edges that a model draws: sorted lists without loops and duplicates, and what was removed and added. */
function sorted(args: Args) {
  const model = graphModel({ ...args, folder: '' } as GenerateArgs)
  const output = new EntryOutput(1 << 16)
  output.next()
  eachTuple(model, 0, model.tuples, (u, v) => output.add(u, v, 1))
  const { from, to, count } = output.block
  const lists = Array.from({ length: model.vertices }, () => new Set<number>())
  const drawn = new Set<string>()
  let loops = 0
  for (let i = 0; i < count; i++) {
    if (from[i] === to[i]) loops++
    else drawn.add(`${from[i]} ${to[i]}`)
    if (from[i] === to[i]) continue
    lists[from[i]!]!.add(to[i]!)
    lists[to[i]!]!.add(from[i]!)
  }
  const arcs = lists.reduce((sum, list) => sum + list.size, 0)
  const counts = { entries: count, loopsRemoved: loops, duplicatesMerged: count - loops - drawn.size }
  const isolatedVertices = lists.filter(({ size }) => size === 0).length
  return {
    lists: lists.map((list) => [...list].sort((a, b) => a - b)),
    counts: { ...counts, reverseArcsAdded: arcs - drawn.size, isolatedVertices },
  }
}

it.each(cases)('%o: each range of the lists by formula is that of the sorted edges', (args) => {
  const { lists } = sorted(args)
  const { lattice } = graphModel({ ...args, folder: '' } as GenerateArgs)
  const formula = new LatticeLists(lattice!)
  const targets = lists.flat()
  expect(formula).toMatchObject({ vertices: lists.length, arcs: targets.length })
  expect(formula.maxDegree).toBe(Math.max(...lists.map(({ length }) => length)))
  const ends = lists.map((_, v) => lists.slice(0, v + 1).reduce((sum, { length }) => sum + length, 0))
  const random = randomStream(lists.length)
  for (let i = 0; i < 30; i++) {
    const range = (count: number): [number, number] => {
      const [a, b] = [Math.floor(random() * (count + 1)), Math.floor(random() * (count + 1))]
      return i === 0 ? [0, count] : a < b ? [a, b] : [b, a]
    }
    const [first, last] = range(lists.length)
    const pairs = new Uint32Array(2 * (last - first))
    formula.ends(first, last, pairs)
    expect([...pairs]).toEqual(ends.slice(first, last).flatMap((end) => [end, 0]))
    const [begin, end] = range(targets.length)
    const found = new Uint32Array(end - begin)
    formula.targets(begin, end, found)
    expect([...found]).toEqual(targets.slice(begin, end))
  }
})

it.each(cases)('%o: file and report say what sorting says', async (args) => {
  const { lists, counts } = sorted(args)
  const folder = work.newFolder()
  const { report } = await generateGraph({ ...args, folder } as GenerateArgs, quietJob)
  expect(report).toMatchObject({ ...counts, vertices: lists.length, arcs: lists.flat().length })
  const { arcs } = readDataset(folder)
  expect(arcs).toEqual(lists.flatMap((list, v) => list.map((u) => `${v} ${u}`)))
})

it.each([true, false])('lists of as many vertices as ids have room for, periodic: %s', (periodic) => {
  const [width, height, depth] = [6, 10, 71582788]
  const lists = new LatticeLists({ width, height, depth, periodic })
  const last = lists.vertices - 1
  const targets = new Uint32Array(lists.arcs - lists.arcsBefore(last))
  lists.targets(lists.arcsBefore(last), lists.arcs, targets)
  // At the last place of every row, column and pillar.
  const [x, y, z] = [1, width, width * height]
  const before = [last - z, last - y, last - x]
  const around = [last - z * (depth - 1), last - z, last - y * (height - 1), last - y, last - x * (width - 1), last - x]
  expect([...targets]).toEqual(periodic ? around : before)
  const ends = new Uint32Array(2)
  lists.ends(last, last + 1, ends)
  expect(ends[0]! + 2 ** 32 * ends[1]!).toBe(lists.arcs)
})
