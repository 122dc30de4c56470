import { expect, test } from 'vitest'
import { planText } from '../../../electron/cli/commands/plan.ts'
import type { ResourcePlan } from '../../../workers/contract/run.ts'

const plan: ResourcePlan = {
  ...{ vertices: 1000, arcs: 4001, exact: true, basis: 'the dataset', device: 'cpu:0', batches: 3, passes: 2 },
  lanes: [{ device: 'cpu:0', shareBytes: 2048, holds: 'nothing', deviceBytes: 1024, availableBytes: 4096 }],
  steps: [{ name: 'run', hostBytes: 512, deviceBytes: 1024, scratchBytes: 0, diskBytes: 125, passes: 2 }],
  needed: { hostBytes: 512, deviceBytes: 1024, scratchBytes: 0, diskBytes: 125, peakDiskBytes: 125 },
  available: { hostBytes: 8192, deviceBytes: null, diskBytes: 16384 },
  refusal: null,
}

test('a plan tells edges, not arcs, what goes where, and that it fits', () => {
  const text = planText('roads', plan)
  expect(text).toMatch(/vertices +1,000\n/)
  expect(text).toMatch(/edges +2,001\n/)
  expect(text).toMatch(/cpu:0 +2 KiB of the graph: it is streamed; takes 1 KiB of 4 KiB/)
  expect(text).toMatch(/compute +512 B +1 KiB +125 B +2\n/)
  expect(text).toMatch(/available +8 KiB +unknown +16 KiB/)
  expect(text.endsWith('\n\nIt fits.')).toBe(true)
  expect(planText('roads', { ...plan, exact: false })).toMatch(/edges +about 2,001\n/)
})

test('one that does not fit says why and what to do', () => {
  const refusal = { code: 'device', what: 'there is too little memory', remedy: 'Free some.' } as const
  const text = planText('roads', { ...plan, refusal })
  expect(text).not.toContain('It fits.')
  expect(text).toMatch(/It does not fit: .*too little memory.*Free some/s)
})
