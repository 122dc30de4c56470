import { expect, it } from 'vitest'
import { matchTakeBits } from '../../../kernels/match-take-bits.ts'
import { BitmapReader, writeBitmap } from '../../../workers/algorithms/ld-gpu/pointer-forms.ts'
import type { Device } from '../../../workers/device/device.ts'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { fillWords } from '../../../workers/device/fill-words.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { randomStream } from '../../support/graphs.ts'

const VERTICES = 60_000
const CAPACITY = 9000

interface Message {
  readonly words: Uint32Array
  readonly first: number
  readonly own: number
  /** Words that go to the device at a time. */
  readonly room: number
}

/** Pointers, pairs that are listed, and how many there are. */
async function taken(device: Device, { words, first, own, room }: Message) {
  const pointers = await device.allocate('pointers', VERTICES)
  const updates = await device.allocate('updates', room)
  const lists = await device.allocate('lists', 2 * CAPACITY)
  const counters = await device.allocate('counters', 1)
  for (const buffer of [pointers, lists, counters]) device.clear(buffer, 0, buffer.words)
  await device.prepare([matchTakeBits])
  const reader = new BitmapReader(words, first, own)
  const chunk = new Uint32Array(room)
  let parts = 0
  for (let part; (part = reader.read(chunk)) !== undefined; parts++) {
    await fillWords(device, updates, part.updates)
    const params = { first: part.first, words: part.words, changed: 0, changedCapacity: CAPACITY, round: 0 }
    device.launch(matchTakeBits, part.words, params, { pointers, updates, lists, counters })
  }
  const listed = await device.read(lists, 0, 2 * CAPACITY)
  const pairs = new Map(Array.from({ length: CAPACITY }, (_, at) => [listed[2 * at]!, listed[2 * at + 1]!]))
  const found = { pointers: await device.read(pointers, 0, VERTICES), changes: (await device.read(counters, 0, 1))[0]! }
  for (const buffer of [pointers, updates, lists, counters]) device.release(buffer)
  return { ...found, pairs, parts }
}

it.skipIf(process.env['ANTICLIQUE_GPU_TESTS'] === 'absent')(
  'pointers that come with a bit for each vertex are the same on GPU and CPU, in one part or in many',
  async () => {
    const gpu = await openDevice('gpu:0')
    const shares = [0.9, 0.3, 0.02, 1, 0]
    for (const [seed, share] of shares.entries()) {
      const random = randomStream(seed)
      const first = 1000 + Math.floor(1000 * random())
      const own = 40_000 + Math.floor(1000 * random())
      const expected = new Uint32Array(VERTICES)
      const pairs: number[] = []
      for (let v = first; v < first + own; v++)
        if (random() < share) pairs.push(v, (expected[v] = 1 + Math.floor(4e9 * random())))
      const changes = pairs.length / 2
      const words = new Uint32Array(Math.ceil(own / 32) + changes)
      writeBitmap(words, Uint32Array.from(pairs), first, own)
      for (const room of [2 ** 17, 9001, 700, 34]) {
        const message = { words, first, own, room }
        const [onGpu, onCpu] = [await taken(gpu, message), await taken(new CpuDevice('cpu:0'), message)]
        expect(onGpu.pointers, `${share} in parts of ${room}`).toEqual(expected)
        expect(onCpu.pointers).toEqual(expected)
        expect([onGpu.changes, onCpu.changes, onGpu.parts]).toEqual([changes, changes, onCpu.parts])
        if (room === 2 ** 17) expect(onGpu.parts).toBe(1)
        if (room === 34) expect(onGpu.parts).toBeGreaterThan(30)
        for (const { pairs: listed } of [onGpu, onCpu])
          for (const [v, pointer] of listed) expect(pointer, `${v}`).toBe(expected[v])
        if (changes <= CAPACITY && changes > 0) expect(onGpu.pairs).toEqual(onCpu.pairs)
      }
    }
    gpu.close()
  },
)
