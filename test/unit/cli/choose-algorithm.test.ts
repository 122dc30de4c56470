import { describe, expect, test } from 'vitest'
import { chooseAlgorithm } from '../../../electron/cli/run-request.ts'

describe('--algorithm auto', () => {
  test.each([
    [{ devices: 'auto' }, 'ecl-mis'],
    [{ devices: 'gpu:0', priority: 'hash' }, 'ecl-mis'],
    [{ devices: 'gpu:0', partitions: 1 }, 'ecl-mis'],
    [{ devices: 'gpu:0,gpu:1' }, 'mg-mis'],
    [{ devices: 'cpu:0', partitions: 3 }, 'mg-mis'],
    [{ devices: 'cpu:0', exchange: 'paper' }, 'mg-mis'],
    [{ devices: 'gpu:0', seeds: 16 }, 'tc-mis'],
    [{ devices: 'gpu:0', priority: 'h1' }, 'tc-mis'],
    [{ devices: 'gpu:0', counting: 'integer' }, 'tc-mis'],
  ])('%j gives %s, and says why', (asked, algorithm) => {
    const chosen = chooseAlgorithm(asked)
    expect(chosen.algorithm).toBe(algorithm)
    expect(chosen.why).toMatch(new RegExp(`^${algorithm}, as .+\\.$`))
  })
})
