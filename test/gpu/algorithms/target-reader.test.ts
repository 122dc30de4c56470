import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Trace } from '../../../workers/base/trace.ts'
import { finishSums, PIECE_BYTES, SumsBuilder } from '../../../workers/base/sums.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { TargetReader } from '../../../workers/algorithms/target-reader.ts'
import { hasGpu } from '../../support/devices-here.ts'

const VERTICES = 1 << 18
const DISTANCES = [-90_001, -7001, -300, -41, -5, -1, 1, 5, 41, 300, 7001, 90_001]
const ARCS = DISTANCES.length * VERTICES

/** A circulant graph of 13 MB. */
function circulantOnDisk(): string {
  const bytes = new ArrayBuffer(32 + 8 * VERTICES + 4 * ARCS)
  new BigUint64Array(bytes, 0, 4).set([1n, 0n, BigInt(VERTICES), BigInt(ARCS)])
  const ends = new BigUint64Array(bytes, 32, VERTICES)
  const targets = new Uint32Array(bytes, 32 + 8 * VERTICES)
  for (let v = 0; v < VERTICES; v++) {
    const list = DISTANCES.map((distance) => (v + distance + VERTICES) % VERTICES)
    targets.set(
      list.sort((a, b) => a - b),
      DISTANCES.length * v,
    )
    ends[v] = BigInt(DISTANCES.length * (v + 1))
  }
  const path = join(mkdtempSync(join(tmpdir(), 'anticlique-targets-')), 'graph.gr')
  writeFileSync(path, new Uint8Array(bytes))
  finishSums(path, new SumsBuilder())
  return path
}

/** As they are on the device. */
async function broughtTo(id: string, path: string, first: number, end: number): Promise<Uint32Array> {
  const device = await openDevice(id)
  const graph = GaloisGr.open(path)
  const reader = new TargetReader(device, graph, new Trace(false), 2)
  const buffer = await device.allocate('targets', end - first)
  try {
    await reader.bring(buffer, first, end - first)
    return (await device.read(buffer, 0, end - first)).slice()
  } finally {
    reader.release()
    device.release(buffer)
    graph.close()
    device.close()
  }
}

describe.each(hasGpu ? ['cpu:0', 'gpu:0'] : ['cpu:0'])('targets on %s', (id) => {
  it('are those of the file wherever they begin and end, and damage is found in any of their pieces', async () => {
    const path = circulantOnDisk()
    const sound = readFileSync(path)
    const targetsAt = 32 + 8 * VERTICES
    const targets = new Uint32Array(sound.buffer, sound.byteOffset + targetsAt, ARCS)
    for (const [first, end] of [
      [0, ARCS],
      [1, ARCS - 1],
      [300_001, 2_700_003],
      [5, 70_000],
    ] as const)
      expect((await broughtTo(id, path, first, end)).every((target, i) => target === targets[first + i])).toBe(true)
    let damages = 0
    for (let at = targetsAt + 40; at < sound.length; at += PIECE_BYTES) {
      const damaged = Buffer.from(sound)
      damaged.writeUInt32LE((damaged.readUInt32LE(at) + 1) % VERTICES, at)
      writeFileSync(path, damaged)
      await expect(broughtTo(id, path, 3, ARCS - 3), `byte ${at}`).rejects.toMatchObject({ code: 'input' })
      damages++
    }
    expect(damages).toBeGreaterThan(10)
    rmSync(dirname(path), { recursive: true })
  })
})
