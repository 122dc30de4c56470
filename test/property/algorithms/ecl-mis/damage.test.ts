import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { finishSums, PIECE_BYTES, SumsBuilder } from '../../../../workers/base/sums.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import { computedSet } from '../../../support/computed-set.ts'

/**
 * Leaves about a hub in the middle, and one vertex alone behind them. Once the hub is in the set, nothing is looked at of the pieces behind it
 * but the rest of its list.
 */
function hubOnDisk(leaves: number): { readonly path: string; readonly hub: number; readonly arc: number } {
  const [hub, vertices, arcs] = [leaves / 2, leaves + 2, 2 * leaves]
  const bytes = new ArrayBuffer(32 + 8 * vertices + 4 * arcs)
  new BigUint64Array(bytes, 0, 4).set([1n, 0n, BigInt(vertices), BigInt(arcs)])
  const ends = new BigUint64Array(bytes, 32, vertices)
  const targets = new Uint32Array(bytes, 32 + 8 * vertices)
  let end = 0
  for (let v = 0; v < vertices; v++) {
    if (v === hub) for (let u = 0; u <= leaves; u++) if (u !== hub) targets[end++] = u
    if (v !== hub && v <= leaves) targets[end++] = hub
    ends[v] = BigInt(end)
  }
  const path = join(mkdtempSync(join(tmpdir(), 'anticlique-damage-')), 'graph.gr')
  writeFileSync(path, new Uint8Array(bytes))
  finishSums(path, new SumsBuilder())
  return { path, hub, arc: hub + leaves - 1 }
}

/** A list of some pieces, and the same where it is longer than what is read of one. */
it.each([undefined, PIECE_BYTES])(
  'damage in the list of a hub is found wherever it is, where a list may reach %s bytes behind its piece',
  async (reachBytes) => {
    const leaves = 600_000
    const { path, hub, arc } = hubOnDisk(leaves)
    const column = new Float64Array(leaves + 2)
    column[hub] = 1
    const set = () => computedSet(path, ['cpu:0'], { priority: 'column', seed: 0, column, reachBytes })
    expect((await set()).states.members().summary().size).toBe(2)
    const bytes = readFileSync(path)
    const graph = GaloisGr.open(path)
    const last = graph.file.targetsAt + 4 * arc
    graph.close()
    // A neighbour less, and in its place the vertex that has none.
    for (let at = last; at > last - 4 * leaves; at -= PIECE_BYTES) {
      const damaged = Buffer.from(bytes)
      damaged.writeUInt32LE(leaves + 1, at)
      writeFileSync(path, damaged)
      await expect(set(), `byte ${at}`).rejects.toMatchObject({ code: 'input' })
    }
    rmSync(join(path, '..'), { recursive: true })
  },
)
