import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { prepareView, readPositions } from '../../../workers/graph/prepare-view.ts'
import { HEAD_WIDTH, NO_ENTRY } from '../../../workers/graph/oriented-view.ts'
import { rankVertices } from '../../../workers/graph/priority.ts'
import { IN, setState, stateOf, stateWords } from '../../../workers/graph/vertex-states.ts'
import { quietJob } from '../../../workers/job.ts'
import { ShareWalk } from '../../../workers/walk/share-walk.ts'
import type { SmallGraph } from '../../support/graphs.ts'
import { greedySet, randomSmallGraph, randomStream, smallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { readWholeView } from '../../support/views.ts'
import { walkedSet } from '../../support/walked-set.ts'

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

function onDisk(graph: SmallGraph) {
  const made = writeGraphFolder(graph)
  folders.push(made.folder)
  const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
  const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
  const { order } = rankVertices('degree', { vertices: graph.vertices, arcs, degrees, seed: 0 })
  return { view: { ...made, priority: 'degree' as const, seed: 0 }, order }
}

/** Long lists, so that tails take many pages, and a hub that needs more than what is read ahead. */
function longLists(seed: number, vertices: number): SmallGraph {
  const random = randomStream(seed)
  const pick = (): number => Math.floor(vertices * random() ** 2)
  return smallGraph(
    vertices,
    Array.from({ length: 20 * vertices }, () => [pick(), pick()] as const),
  )
}

function graphOf(seed: number): SmallGraph {
  return seed % 3 === 0 ? longLists(seed, 1500) : randomSmallGraph(seed, 900).graph
}

const GRAPHS = 300
const THREADED = 100

describe('walking what heads leave', () => {
  it(`gives the set of the serial loop on ${GRAPHS} random graphs, whatever the order of the shares and the size of the buffer`, () => {
    let [aside, members] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const random = randomStream(seed)
      const graph = graphOf(seed)
      const { view, order } = onDisk(graph)
      const prepared = prepareView(view, quietJob)
      const { vertices, front, heads: behind, tails, tailOffsets } = readWholeView(prepared)
      const heads = new Uint32Array(HEAD_WIDTH * vertices).fill(NO_ENTRY)
      heads.set(behind, HEAD_WIDTH * front)
      const states = new Uint32Array(stateWords(vertices))
      for (let p = 0; p < front; p++) setState(states, p, IN)
      const bytes = new Uint8Array(tails.buffer, tails.byteOffset, tails.byteLength)
      const readTails = (at: number, into: Uint8Array): void => {
        if (at + into.length > bytes.length) throw new Error('read past the end')
        into.set(bytes.subarray(at, at + into.length))
      }
      const tally = { waits: () => void aside++, decided: () => {} }
      const walk = new ShareWalk(
        { states, tailOffsets, readTails, tailBytes: bytes.length, path: '', tally, isOver: () => false },
        4096 * (2 + Math.floor(8 * random())),
      )
      const share = 16 * (1 + Math.floor(6 * random()))
      const firsts = Array.from({ length: Math.ceil(vertices / share) }, (_, i) => share * i)
      firsts.sort(() => random() - 0.5)
      for (const first of firsts) walk.walk({ first, end: Math.min(vertices, first + share) }, heads, 0)
      for (let turn = 0; !walk.leftOver.isEmpty; turn++) {
        if (turn > vertices) throw new Error('nothing is decided any more')
        walk.retry()
      }
      const positions = readPositions(prepared.view)
      const found = new Set([...positions.keys()].filter((v) => stateOf(states, positions[v]!) === IN))
      expect(found, `seed ${seed}`).toEqual(greedySet(graph, order))
      members += found.size
      prepared.view.close()
    }
    expect(aside).toBeGreaterThan(1000)
    expect(members).toBeGreaterThan(GRAPHS * 20)
  })

  it('does so with 1 to 5 threads, 1 to 4 devices, groups and shares of any size, and from the states of any moment', async () => {
    let [members, resumed] = [0, 0]
    for (let seed = 0; seed < THREADED; seed++) {
      const random = randomStream(1000 + seed)
      const graph = graphOf(seed)
      const { view, order } = onDisk(graph)
      const expected = greedySet(graph, order)
      const shareVertices = 16 * (1 + Math.floor(8 * random()))
      const groupVertices = shareVertices * (1 + Math.floor(6 * random()))
      const others = Array.from({ length: seed % 4 }, (_, i) => new CpuDevice(`cpu:${i + 1}`))
      const stays = seed % 3 === 0
      const request = { sizes: { shareVertices, groupVertices }, walkers: 1 + (seed % 5), others, stays }
      const checkpoints: Uint32Array[] = []
      const afterStep = async (_: boolean, read: () => Promise<Uint32Array>) => void checkpoints.push(await read())
      const words = `seed ${seed}, shares of ${shareVertices}, groups of ${groupVertices}, ${request.walkers} threads, ${others.length} more devices`
      const whole = await walkedSet(view, new CpuDevice('cpu:0'), { ...request, afterStep })
      expect(new Set(whole.set.members()), words).toEqual(expected)
      members += whole.set.summary().size
      const states = checkpoints[Math.floor(random() * checkpoints.length)]
      const again = await walkedSet(view, new CpuDevice('cpu:0'), { ...request, states })
      expect(again.set.summary(), `${words}, resumed`).toEqual(whole.set.summary())
      if (again.bytesRead < whole.bytesRead) resumed++
    }
    expect(members).toBeGreaterThan(THREADED * 20)
    expect(resumed).toBeGreaterThan(THREADED / 10)
  })

  it('ends at once when it is cancelled, with threads that serve the next one', async () => {
    const graph = longLists(7, 3000)
    const { view, order } = onDisk(graph)
    const request = { sizes: { shareVertices: 64, groupVertices: 128 }, walkers: 3 }
    for (let steps = 0; steps < 12; steps += 3) {
      const stop = new AbortController()
      let left = steps
      const progress = (): void => void (left-- <= 0 && stop.abort())
      const job = { ...quietJob, signal: stop.signal, progress }
      await expect(walkedSet(view, new CpuDevice('cpu:0'), request, job)).rejects.toThrow('cancelled')
      const { set } = await walkedSet(view, new CpuDevice('cpu:0'), request)
      expect(new Set(set.members())).toEqual(greedySet(graph, order))
    }
  })

  it('refuses tails that name vertices which come later, or never: nobody would decide them', async () => {
    const { view } = onDisk(longLists(9, 2000))
    const prepared = prepareView(view, quietJob)
    const { path, header } = prepared.view
    prepared.view.close()
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.alloc(header.tails.bytes, 0xff), 0, header.tails.bytes, header.tails.at)
    closeSync(file)
    const request = { sizes: { shareVertices: 64, groupVertices: 256 }, walkers: 2 }
    await expect(walkedSet(view, new CpuDevice('cpu:0'), request)).rejects.toThrow('damaged')
  })

  it('refuses a view whose heads, or whose table of vertices, are not what was written', async () => {
    for (const section of ['heads', 'behind'] as const) {
      const { view } = onDisk(longLists(8, 2000))
      const prepared = prepareView(view, quietJob)
      const { path, header } = prepared.view
      prepared.view.close()
      const at = header[section].at + header[section].bytes - 4
      const file = openSync(path, 'r+')
      const bytes = Buffer.alloc(1)
      readSync(file, bytes, 0, 1, at)
      bytes[0]! ^= 1
      writeSync(file, bytes, 0, 1, at)
      closeSync(file)
      const request = { sizes: { shareVertices: 64, groupVertices: 256 }, walkers: 2 }
      await expect(walkedSet(view, new CpuDevice('cpu:0'), request), section).rejects.toThrow('damaged')
    }
  })
})
