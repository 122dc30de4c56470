import { spawn } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { randomStream, smallGraph } from '../../support/graphs.ts'
import { Folders, builtBytes } from '../../support/views.ts'

const folders = new Folders()
const root = join(import.meta.dirname, '../../..')

/** Builds a view in a process of its own, with helpers of its own. */
function build(request: object): Promise<number | null> {
  const script = `
    import { prepareView } from ${JSON.stringify(join(root, 'workers/graph/prepare-view.ts'))}
    import { quietJob } from ${JSON.stringify(join(root, 'workers/job.ts'))}
    const { view, buildMs } = prepareView(${JSON.stringify(request)}, quietJob)
    view.close()
    process.exitCode = buildMs > 0 ? 0 : 7`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code)))
}

it('two processes that build the same view at once both succeed, and leave one whole view', async () => {
  const random = randomStream(4)
  const drawn = (): number => Math.floor(20_000 * random())
  const edges = Array.from({ length: 400_000 }, () => [drawn(), drawn()] as const)
  const made = folders.of(smallGraph(20_000, edges))
  const request = { ...made, priority: 'degree', seed: 0, budgetBytes: 2 ** 20, threads: 2 } as const
  const codes = await Promise.all([build(request), build(request)])
  // 7: the other one was ready before this one looked.
  expect(codes.filter((code) => code !== 0 && code !== 7)).toEqual([])
  expect(codes).toContain(0)
  const views = join(made.folder, 'views')
  expect(readdirSync(views)).toEqual(['oriented-degree-0.view'])
  const bytes = readFileSync(join(views, 'oriented-degree-0.view'))
  expect(bytes.equals(builtBytes({ ...request, budgetBytes: 2 ** 40 }))).toBe(true)
})
