import { expect, it } from 'vitest'
import { keptWords } from '../../../../kernels/matching/match-state.ts'
import { ordered } from '../../../../workers/algorithms/ld-gpu/ld-gpu.ts'
import { CANDIDATES } from '../../../../workers/algorithms/ld-gpu/match-setup.ts'
import { sizeOfRank } from '../../../../workers/algorithms/plan-request.ts'
import { gpuFacts } from '../../../support/gpu-facts.ts'

it.each([2, 4])('a plan of %i ranks whose first GPU does the rounds counts what the others publish', (ranks) => {
  const [vertices, arcs] = [1 << 20, 1 << 24]
  const whole = { vertices, arcs, weighted: false, exact: true, basis: '', dataset: undefined, steps: [] }
  const options = { algorithm: 'ld-gpu', device: 'gpu:0', seed: 0, memoryBytes: 1 << 30 }
  const { steps, refusal } = ordered.estimate({ options, size: sizeOfRank(whole, ranks), devices: [gpuFacts(0, 4096)] })
  expect(refusal).toBeNull()
  // Mates and pointers, the candidates of a slice, and some of its lists.
  const candidates = (4 * keptWords(CANDIDATES) * vertices) / ranks
  expect(steps[0]!.hostBytes).toBeGreaterThan(8 * vertices + candidates)
})
