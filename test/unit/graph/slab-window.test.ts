import { describe, expect, it } from 'vitest'
import { SlabWindow } from '../../../workers/graph/slab-window.ts'
import { randomStream } from '../../support/graphs.ts'

describe('a window on a slab', () => {
  it('gives every word, wherever it stands and in whatever steps it is asked for', () => {
    const random = randomStream(1)
    for (const length of [1, 1000, 1024, 5000, 200_000]) {
      const words = Uint32Array.from({ length }, (_, i) => 3 * i + 1)
      const bytes = new Uint8Array(words.buffer)
      const window = new SlabWindow((at, into) => into.set(bytes.subarray(at, at + into.length)), length)
      let asked = 0
      for (const step of [1, 7, 900, 3000, 4500, 20_000, 70_000])
        for (let at = Math.floor(random() * step) % length; at < length; at += 1 + Math.floor(random() * step)) {
          if (window.word(at) !== 3 * at + 1) throw new Error(`word ${at} of ${length} is ${window.word(at)}`)
          asked++
        }
      expect(asked).toBeGreaterThan(length === 1 ? 0 : 7)
    }
  })
})
