import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { PACKED_FILE, type RunArgs } from '../../../workers/contract/jobs.ts'
import { GaloisGr, checksumOf, openGraph } from '../../../workers/graph/galois-gr.ts'
import { planSet } from '../../../workers/algorithms/ecl-mis/plan-set.ts'
import { runAlgorithm } from '../../../workers/algorithms/run.ts'
import { algorithmEntries } from '../../../workers/contract/catalogue.ts'
import { packGraph, unpackGraph } from '../../../workers/graph/packed/pack-graph.ts'
import { PackedSource } from '../../../workers/graph/packed/packed-source.ts'
import { PiecePacker } from '../../../workers/graph/packed/pack-piece.ts'
import { Unpacker } from '../../../workers/graph/packed/unpacker.ts'
import { PieceReader } from '../../../workers/streaming/piece-scan.ts'
import { addWeights, Folders } from '../../support/dataset-folders.ts'
import { computedMatching, matesOf } from '../../support/computed-matching.ts'
import { computedSet } from '../../support/computed-set.ts'
import { graphsForDevices, randomStream, type SmallGraph, smallGraph } from '../../support/graphs.ts'
import { MeasuredDevice } from '../../support/measured-device.ts'
import { TwinDevice } from '../../support/twin-device.ts'

const folders = new Folders()

type Place = ReturnType<Folders['of']>

/** Packs also what becomes larger by it. */
const pack = (place: Place) => packGraph(place, quietJob, Infinity)

/** Some pieces: a hub whose list is in several of them, vertices without neighbours, and short lists far and near. */
function manyPieces(): SmallGraph {
  const [vertices, random] = [150_000, randomStream(7)]
  const edges: [number, number][] = []
  for (let v = 0; v < vertices; v++) {
    if (v % 3 > 0 && v < 145_000) edges.push([75_000, v])
    if (v % 5 === 0 && v < 140_000)
      edges.push([v, v + 1 + Math.floor(random() * 7)], [v, Math.floor(random() * 140_000)])
  }
  return smallGraph(vertices, edges)
}

it('a packed graph has the bytes, the checksum and the identity of the raw one, read whole, in parts and beside the work', async () => {
  const random = randomStream(48)
  const graphs = [...graphsForDevices(24, 300).map(({ graph }) => graph), manyPieces()]
  for (const [i, graph] of graphs.entries()) {
    const plain = folders.of(graph)
    const place = i % 3 === 1 ? addWeights(plain, graph, (u, v) => 1 + ((u + v) % 1000) / 8) : plain
    const raw = readFileSync(join(place.folder, 'graph.gr'))
    const { packedBytes, changed } = await pack(place)
    expect([changed, packedBytes]).toEqual([true, readFileSync(join(place.folder, PACKED_FILE)).length])
    if (i === graphs.length - 1) expect(packedBytes!).toBeLessThan(raw.length / 3)
    const packed = openGraph(place.folder, place.checksum, quietJob)
    expect(packed.checked.read(0, raw.length).equals(raw)).toBe(true)
    const reader = new PieceReader(packed.file, packed.checked.source, undefined)
    for (let times = 0; times < 60; times++) {
      const at = Math.floor(random() * raw.length)
      const bytes = new Uint8Array(Math.floor(random() ** 4 * (raw.length - at)))
      if (times % 2 === 0) reader.readHere(bytes, at)
      else if (bytes.length > 0) await reader.beside(0)(bytes, at)
      expect(raw.subarray(at, at + bytes.length).equals(bytes), `${at} + ${bytes.length}`).toBe(true)
    }
    expect(checksumOf(place.folder)).toBe(place.checksum)
    packed.close()
    if (i === graphs.length - 1) {
      const byThreads = new PackedSource(join(place.folder, PACKED_FILE), 0)
      const all = new Uint8Array(raw.length)
      await byThreads.readBeside(all, 0)
      byThreads.close()
      expect(raw.equals(all)).toBe(true)
    }
    await unpackGraph(place, quietJob)
    expect(readFileSync(join(place.folder, 'graph.gr')).equals(raw)).toBe(true)
  }
})

it('of a piece only the groups that are wanted are unpacked, and damage in any other is found', async () => {
  const place = folders.of(manyPieces())
  const raw = readFileSync(join(place.folder, 'graph.gr'))
  await pack(place)
  const path = join(place.folder, PACKED_FILE)
  const wants = (first: number, end: number): boolean => end - first === 16_384 && (first / 16_384) % 3 === 1
  const read = (): Buffer => {
    const source = new PackedSource(path)
    try {
      const bytes = Buffer.alloc(1 << 20, 5)
      source.read(bytes, 0, wants)
      return bytes
    } finally {
      source.close()
    }
  }
  const wanted = Buffer.alloc(1 << 20, 5)
  for (let first = 16_384; first < wanted.length; first += 3 * 16_384)
    wanted.set(raw.subarray(first, first + 16_384), first)
  expect(read().equals(wanted)).toBe(true)
  const file = readFileSync(path)
  // The first block stands behind the index of two pieces, its first group behind the ends of 64.
  file.writeUInt8(file.readUInt8(64 + 32 + 260) ^ 1, 64 + 32 + 260)
  writeFileSync(path, file)
  expect(read).toThrow(Failure)
})

it('a file of version 2, which has no lists with marks, opens as before', async () => {
  const random = randomStream(2)
  const far = (): number => Math.floor(random() * 5000)
  const place = folders.of(
    smallGraph(
      5000,
      Array.from({ length: 20_000 }, () => [far(), far()]),
    ),
  )
  const raw = readFileSync(join(place.folder, 'graph.gr'))
  await pack(place)
  const path = join(place.folder, PACKED_FILE)
  const file = readFileSync(path)
  expect(file.readUInt32LE(8)).toBe(3)
  const indexed = file.subarray(0, 64 + 16)
  file.writeUInt32LE(2, 8)
  file.writeUInt32LE(0, 60)
  file.writeUInt32LE(crc32(indexed), 60)
  // No group of random lists has marks.
  const groups = Math.ceil(raw.length / 16_384)
  const block = Array.from({ length: (file.length - 80) / 4 }, (_, word) => file.readUInt32LE(80 + 4 * word))
  const heads = [groups, ...block.slice(0, groups - 1)].map((at) => block[at]! % 4)
  expect([...new Set(heads)].sort()).toEqual([0, 1, 2])
  writeFileSync(path, file)
  const packed = openGraph(place.folder, place.checksum, quietJob)
  expect(packed.checked.read(0, raw.length).equals(raw)).toBe(true)
  packed.close()
})

it('any words come back, also where they are no lists', () => {
  const random = randomStream(5)
  const [offsetsAt, targetsAt, targetsEnd] = [8, 2009, 20_001]
  const packer = new PiecePacker({ offsetsAt, targetsAt, targetsEnd })
  for (let times = 0; times < 30; times++) {
    const bits = times % 33
    const words = Uint32Array.from({ length: 20_400 }, () => Math.floor(random() * 2 ** bits))
    // Neighbours that follow one another, but where a group or a list ends.
    if (times % 3 === 0) for (let at = targetsAt; at < targetsEnd; at++) words[at] = 7 + at
    const ends = new Float64Array(20_000)
    let last = 0
    for (let v = 0; v < ends.length; v++) ends[v] = last += random() < 0.5 ? 0 : Math.floor(random() * 9)
    ends[ends.length - 1] = targetsEnd - targetsAt
    const first = ends.findIndex((end) => end > 0)
    const block = packer.pack(words, 0, { vertex: first, ends: ends.subarray(first) })
    Unpacker.here.block.set(block)
    const back = new Uint8Array(4 * words.length)
    expect(Unpacker.here.piece(back)).toBe(true)
    expect(Buffer.from(words.buffer).equals(back), `${bits} bits`).toBe(true)
  }
})

it('sets and matchings are those of the raw graph on every device, in all numbers of batches', async () => {
  let members = 0
  const graphs = graphsForDevices(16, 400).map(({ graph }) => graph)
  for (const [i, graph] of [...graphs, manyPieces()].entries()) {
    const place = folders.of(graph)
    // Threads take a second to start here.
    const devices = i === graphs.length ? ['cpu:0', 'cpu:1'] : [['cpu:0'], [new TwinDevice('gpu:0')]][i % 2]!
    const wanted = { priority: 'degree', seed: i, batches: 1 + (i % 17), threads: 1 } as const
    const order = { weights: 'random3', ties: 'hash', seed: i } as const
    const answers = async (file: string) => {
      const path = join(place.folder, file)
      const { states } = await computedSet(path, devices, wanted)
      return {
        set: [...states.members().members()],
        mates: matesOf(await computedMatching(path, devices, { order, streams: i % 4 > 1 })),
      }
    }
    const raw = await answers('graph.gr')
    await pack(place)
    expect(await answers(PACKED_FILE), `graph ${i}`).toEqual(raw)
    members += raw.set.length
  }
  expect(members).toBeGreaterThan(5000)
})

it('a GPU unpacks where its plan has the room, takes what is planned byte for byte, and gives the same set', async () => {
  const ways = { device: 0, processors: 0 }
  for (const [i, graph] of [...graphsForDevices(12, 2000).map(({ graph }) => graph), manyPieces()].entries()) {
    const place = folders.of(graph)
    const [raw, packed] = ['graph.gr', PACKED_FILE].map((name) => join(place.folder, name)) as [string, string]
    const wanted = { priority: 'degree', seed: i, batches: 1 + (i % 5) } as const
    const { states } = await computedSet(raw, [new TwinDevice('gpu:0')], wanted)
    await pack(place)
    const size = { ...GaloisGr.inFolder(place.folder).file, weighted: false, hasColumn: false }
    for (const memoryBytes of i < 12 ? [1 << 30, 20 << 20, 6 << 20] : [1 << 30]) {
      const device = new MeasuredDevice('gpu')
      const [planned] = planSet(size, { ...wanted, memoryBytes }, [device.facts]).workers
      const made = await computedSet(packed, [device], { ...wanted, memoryBytes })
      expect(made.states.packed()).toEqual(states.packed())
      expect(device.mostBytes, `graph ${i}, ${memoryBytes} bytes`).toBe(planned!.deviceBytes)
      ways[planned!.layout!.packedWords > 0 ? 'device' : 'processors']++
      device.close()
    }
  }
  expect(ways.device).toBeGreaterThan(12)
  expect(ways.processors).toBeGreaterThan(1)
})

it('every algorithm has the result of the raw graph, in one piece and in parts', async () => {
  const place = folders.of(
    smallGraph(
      3000,
      Array.from({ length: 12_000 }, (_, i) => [i % 3000, (i * i + (i >>> 5)) % 2999]),
    ),
  )
  const run = async ({ name, options }: (typeof algorithmEntries)[number], batches: number): Promise<string> => {
    const standards = options.filter(({ default: value }) => value != null).map((each) => [each.name, each.default])
    const own = { 'tc-mis': { priority: 'h3' }, 'bfs-tree': { root: '0' }, 'spin-glass': { sweeps: 20 } }
    const args = {
      ...place,
      device: 'cpu:0',
      seed: 1,
      verify: true,
      priority: 'degree',
      ...Object.fromEntries(standards),
    }
    const more = { batches, resultFile: join(place.folder, 'result'), ...(own as Record<string, object>)[name] }
    const { result, verification } = await runAlgorithm({ ...args, ...more, algorithm: name } as RunArgs, quietJob)
    return JSON.stringify([name, result, verification?.verified])
  }
  const results = async (): Promise<string[]> => {
    const all: string[] = []
    for (const entry of algorithmEntries) for (const batches of [1, 7]) all.push(await run(entry, batches))
    return all
  }
  const raw = await results()
  await pack(place)
  expect(await results()).toEqual(raw)
})

it('each flipped bit is found where it is read, and a graph of another dataset is refused', async () => {
  const random = randomStream(9)
  const place = folders.of(
    smallGraph(
      3000,
      Array.from({ length: 9000 }, (_, i) => [i % 3000, (i * i) % 2999]),
    ),
  )
  await pack(place)
  const path = join(place.folder, PACKED_FILE)
  const sound = readFileSync(path)
  const readAll = (): void => {
    const graph = GaloisGr.inFolder(place.folder)
    try {
      graph.checked.read(0, graph.checked.bytes)
    } finally {
      graph.close()
    }
  }
  readAll()
  const answer = async (): Promise<Uint32Array> =>
    (await computedSet(path, [new TwinDevice('gpu:0')], { priority: 'degree' })).states.packed()
  const states = await answer()
  let found = 0
  for (let times = 0; times < 400; times++) {
    const bit = times < 100 ? times * 8 : Math.floor(random() * 8 * sound.length)
    const damaged = Buffer.from(sound)
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    writeFileSync(path, damaged)
    expect(readAll, `bit ${bit}`).toThrow(Failure)
    // The bits behind the last number of a stream are none of the graph.
    const seen = times % 4 === 1 ? await answer().catch((error: unknown) => error) : states
    if (seen instanceof Failure) found++
    else expect(seen, `bit ${bit}`).toEqual(states)
  }
  expect(found).toBeGreaterThan(80)
  writeFileSync(path, sound.subarray(0, -4))
  expect(readAll).toThrow(/length/)
  const other = folders.of(
    smallGraph(
      3000,
      Array.from({ length: 9000 }, (_, i) => [i % 3000, (i * i) % 2998]),
    ),
  )
  await pack(other)
  writeFileSync(path, readFileSync(join(other.folder, PACKED_FILE)))
  expect(() => openGraph(place.folder, place.checksum, quietJob)).toThrow(Failure)
  rmSync(path)
})
