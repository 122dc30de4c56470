import { expect, test } from 'vitest'
import { LabelTable, labelHash } from '../../../workers/import/reader/input-ids.ts'

const FNV_BASIS = 0x811c9dc5
const BLOCK = 6
const STAGES = 10
const letters = 'abcdefghijklmnopqrstuvwxyz'

/** Two blocks of letters that take the hash of a prefix to the same state: found by the birthday paradox. */
function collidingBlocks(prefix: Buffer): readonly [Buffer, Buffer] {
  const seen = new Map<number, Buffer>()
  for (let i = 0; ; i++) {
    let rest = Math.imul(i, 0x9e3779b1) >>> 0
    const block = Buffer.alloc(BLOCK)
    for (let at = 0; at < BLOCK; at++) {
      block[at] = letters.charCodeAt(rest % letters.length)
      rest = Math.floor(rest / letters.length)
    }
    const hash = labelHash(Buffer.concat([prefix, block]), FNV_BASIS)
    const other = seen.get(hash)
    if (other !== undefined && !other.equals(block)) return [other, block]
    seen.set(hash, block)
  }
}

/** 2^STAGES labels of one hash: each is a way through the stages, whose blocks do not matter to the hash. */
function collidingLabels(): Buffer[] {
  let labels = [Buffer.alloc(0)]
  for (let stage = 0; stage < STAGES; stage++) {
    const blocks = collidingBlocks(labels[0]!)
    labels = labels.flatMap((label) => blocks.map((block) => Buffer.concat([label, block])))
  }
  return labels
}

test('labels that collide from the basis that everybody knows do not in a table', () => {
  const labels = collidingLabels()
  const hashes = (basis: number): Set<number> => new Set(labels.map((label) => labelHash(label, basis)))
  expect(hashes(FNV_BASIS).size).toBe(1)
  for (const basis of [0, 1, 0x12345678, 0xffffffff]) expect(hashes(basis).size).toBeGreaterThan(labels.length / 2)
  // Whatever a table begins with, numbers follow the order of appearance.
  for (const table of [new LabelTable(), new LabelTable(7)]) {
    expect(labels.map((label) => table.intern(label))).toEqual([...labels.keys()])
    expect(labels.map((label) => table.intern(label))).toEqual([...labels.keys()])
  }
})

test('no two tables begin alike', () => {
  const label = Buffer.from('label')
  const hashes = Array.from({ length: 8 }, () => new LabelTable().hashOf(label))
  expect(new Set(hashes).size).toBeGreaterThan(1)
})
