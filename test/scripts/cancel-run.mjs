// Cancels streamed runs at random moments in one engine, measures how soon each settles, looks at what it leaves, and starts the same
// run again. Needs /proc (Linux), Node 24 and the built program (npm run build).
//   node test/scripts/cancel-run.mjs [--times 30] [--vertices 1000000] [--degree 32] [--memory 12MiB] [--devices cpu:0]
//     [--algorithm ecl-mis|mg-mis|tc-mis|ld-gpu] [--options '{"weights":"random3"}']
import { parseArgs } from 'node:util'
import { pause, runOptions, withStandards } from './streamed-run.mjs'
import { ServiceInProcess } from '../support/service-in-process.mjs'

const SETTLED_MS = 1000
const values = withStandards(parseArgs({ options: runOptions }).values)
const host = new ServiceInProcess()
const [vertices, degree] = [Number(values.vertices), Number(values.degree)]
await host.generate({ model: 'uniform', vertices, degree, name: 'uniform' })
const { memoryBytes } = values
const request = { dataset: 'uniform', device: values.devices, memoryBytes, verify: true, ...values.request }
const whole = await host.wait(await host.start(request))
const startMs = performance.now()
await host.wait(await host.start(request))
const wholeMs = performance.now() - startMs
const before = host.engine()
const words = ({ bytes, handles, threads }) => `${Math.round(bytes / 1e6)} MB, ${handles} handles, ${threads} threads`
console.log(`whole: ${Math.round(wholeMs)} ms, hash ${whole.hash}; engine: ${words(before)}`)
const settled = []
let good = 0
for (let i = 0; i < Number(values.times);) {
  const ms = Math.round(wholeMs * Math.random())
  const run = await host.start(request)
  await pause(ms)
  const askedMs = performance.now()
  await host.service.call('runs.cancel', { run: run.id })
  const ended = await host.wait(run)
  const tookMs = performance.now() - askedMs
  if (ended.state === 'done') continue
  i++
  settled.push(tookMs)
  const left = host.unfinished(ended)
  const again = await host.wait(await host.start(request))
  const isGood =
    ended.state === 'cancelled' &&
    tookMs < SETTLED_MS &&
    left.length === 0 &&
    again.state === 'done' &&
    again.hash === whole.hash
  if (isGood) good++
  console.log(
    `after ${ms} ms: ${ended.state} within ${Math.round(tookMs)} ms, left ${left.length} files; again: ${again.state}, ` +
      `${again.hash === whole.hash ? 'same set' : `hash ${again.hash}`}; engine: ${words(host.engine())}`,
  )
}
settled.sort((x, y) => x - y)
const after = host.engine()
console.log(
  `${good} of ${values.times} good; settled within ${Math.round(settled.at(-1))} ms, median ${Math.round(settled[settled.length >> 1])} ms; ` +
    `engine before: ${words(before)}, after: ${words(after)}${after.pid === before.pid ? '' : ', ANOTHER PROCESS'}`,
)
if (good < Number(values.times) || after.pid !== before.pid) process.exitCode = 1
await host.close()
