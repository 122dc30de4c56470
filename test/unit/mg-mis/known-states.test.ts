import { describe, expect, it } from 'vitest'
import { Figures, WHOLE, shareStates } from '../../../workers/exchange/shared-states.ts'
import { StateMail } from '../../../workers/exchange/state-mail.ts'
import type { Batch } from '../../../workers/graph/batches.ts'

const batchesOf = (counts: readonly number[]): Batch[] => {
  let first = 0
  return counts.map((count, index) => {
    const batch = { index, first, count, tailFirst: 0, tailCount: 0 }
    first += count
    return batch
  })
}

describe('what workers tell of their batches', () => {
  it('leaves out the words that hold vertices of the front only, unless there are states to start from', () => {
    const batches = batchesOf([64, 32, 48])
    for (let front = 0; front <= 144; front++) {
      const { stretches, knownWords } = shareStates(144, 2, batches, undefined, { front })
      expect(knownWords).toBe(Math.floor(front / 16))
      const told = stretches.flatMap(({ first, words }) => Array.from({ length: words }, (_, i) => first + i))
      expect(told).toEqual(Array.from({ length: 9 - knownWords }, (_, i) => knownWords + i))
    }
    expect(shareStates(144, 2, batches, new Uint32Array(9), { front: 100 }).knownWords).toBe(0)
  })

  it('is the same for who takes it, as a list and as a whole, in odd and even passes', () => {
    const shared = shareStates(320, 2, batchesOf([160, 160]), undefined)
    const mail = new StateMail(shared)
    const figures = new Figures(shared)
    const [given, taken] = [new Uint32Array(20), new Uint32Array(20)]
    const states = new Uint32Array(10)
    const forms = new Set<string>()
    for (let pass = 0; pass < 10; pass++) {
      for (let i = 0; i <= (pass % 3) * 4; i++) states[(3 * i + pass) % 10]! |= 1 << (2 * pass)
      const changes = mail.write(states, 1, given, pass & 1)
      figures.tellChanges(1, pass, changes)
      expect(figures.isTold(1, pass)).toBe(true)
      expect(figures.isTold(1, pass + 1)).toBe(false)
      mail.take(1, pass & 1, figures.changes(1, pass), taken)
      expect([...taken.subarray(10)]).toEqual([...states])
      forms.add(changes === WHOLE ? 'whole' : 'list')
    }
    expect([...forms].sort()).toEqual(['list', 'whole'])
  })
})
