import { describe, expect, it } from 'vitest'
import { sumRounds } from '../../../workers/partition/sum-rounds.ts'

describe('sumRounds', () => {
  it('adds what the workers have left, each with its last figure until its next', () => {
    const first = [
      { round: 1, undecided: 50 },
      { round: 2, undecided: 10 },
      { round: 9, undecided: 0 },
    ]
    const second = [
      { round: 1, undecided: 30 },
      { round: 2, undecided: 20 },
      { round: 3, undecided: 8 },
      { round: 9, undecided: 4 },
    ]
    expect(sumRounds([first, second])).toEqual([
      { round: 1, undecided: 80 },
      { round: 2, undecided: 30 },
      { round: 3, undecided: 18 },
      { round: 9, undecided: 4 },
    ])
  })

  it('is the figures of a worker alone, and nothing of none', () => {
    const alone = [
      { round: 1, undecided: 3 },
      { round: 2, undecided: 0 },
    ]
    expect(sumRounds([alone])).toEqual(alone)
    expect(sumRounds([alone, []])).toEqual(alone)
    expect(sumRounds([])).toEqual([])
  })
})
