import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Checkpoint } from '../../../workers/algorithms/checkpoint.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const identity = { order: 'degree-0', vertices: 3 }

test('a run that is not resumed starts anew beside a checkpoint; one that is has its states, unless they are of another', () => {
  const folder = scratchFolder('checkpoint')
  const args = { checksum: 'a'.repeat(64), checkpointFile: join(folder, 'states') }
  Checkpoint.of<string>(args, identity)!.write([Uint32Array.of(1, 2, 3), new Uint32Array(0)], 'notes')
  for (const resume of [undefined, false]) {
    const fresh = Checkpoint.of<string>({ ...args, resume }, identity)!
    expect(fresh.start()).toBeUndefined()
    expect([fresh.kept, fresh.resumed]).toEqual([undefined, undefined])
  }
  const resumed = Checkpoint.of<string>({ ...args, resume: true }, identity)!
  expect(resumed.start()).toMatchObject({ parts: [Uint32Array.of(1, 2, 3), new Uint32Array(0)], notes: 'notes' })
  expect(resumed.resumed).toMatch(/^from the checkpoint of /)
  const anew = 'anew: the checkpoint is of another graph, or other options'
  for (const change of [{ vertices: 4 }, { order: 'degree-1' }, { tiles: 'of another height' }]) {
    const other = Checkpoint.of<string>({ ...args, resume: true }, { ...identity, ...change })!
    expect([other.start(), other.resumed]).toEqual([undefined, anew])
  }
  const elsewhere = Checkpoint.of<string>({ ...args, checksum: 'b'.repeat(64), resume: true }, identity)!
  expect([elsewhere.start(), elsewhere.resumed]).toEqual([undefined, anew])
  rmSync(folder, { recursive: true })
})

test('options of many digits have room, and others are told from them', () => {
  const args = { checksum: 'a'.repeat(64), checkpointFile: join(scratchFolder('checkpoint'), 'states') }
  const order = `spins-${JSON.stringify({ coldest: 0.12345678901234567, name: 'independent-set' }).repeat(8)}`
  Checkpoint.of<string>(args, { order, vertices: 3 })!.write([Uint32Array.of(1, 2, 3)], 'notes')
  const resume = (of: string) => Checkpoint.of<string>({ ...args, resume: true }, { order: of, vertices: 3 })!.start()
  expect(resume(order)).toMatchObject({ notes: 'notes' })
  expect(resume(`${order}1`)).toBeUndefined()
})
