import { afterAll, beforeAll, expect, it } from 'vitest'
import { Workbench } from './workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = new Workbench()
  await bench.generate('rmat', { model: 'rmat', scale: 14, edgeFactor: 12 })
})
afterAll(() => bench.close())

it('a run leaves its progress and what each worker did behind', async () => {
  const seen: number[] = []
  const stop = bench.service.listen((event) => event.type === 'progress' && seen.push(event.progress.done))
  const run = await bench.run({ dataset: 'rmat', device: 'cpu:0,cpu:1', batches: 16 })
  stop()
  const { samples } = await bench.service.call('runs.progress', { run: run.id })
  expect(samples.map(({ done }) => done)).toEqual(seen)
  expect(samples.map(({ phase }) => phase)).toEqual(expect.arrayContaining(['scan', 'verify']))
  const { lanes } = await bench.service.call('runs.trace', { run: run.id })
  expect(lanes.map(({ name }) => name)).toEqual(['worker 0 on cpu:0', 'worker 1 on cpu:1'])
  const spans = lanes.flatMap((lane) => lane.spans)
  // Which worker got a piece of so small a graph depends on timing.
  expect(spans.map(({ category }) => category)).toEqual(expect.arrayContaining(['disk read', 'kernel']))
  for (const { startMs, durationMs } of spans) expect(startMs >= 0 && durationMs >= 0).toBe(true)
})
