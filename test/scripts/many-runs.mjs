// Many short runs in one engine, in memory and streamed, and what the engine holds in between. Needs /proc (Linux), Node 24 and the
// built program (npm run build).
//   node test/scripts/many-runs.mjs [--runs 500] [--devices cpu:0]
import { parseArgs } from 'node:util'
import { ServiceInProcess } from '../support/service-in-process.mjs'

const STEPS = 10
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '500' }, devices: { type: 'string', default: 'cpu:0' } },
})
const host = new ServiceInProcess()
await host.generate({ model: 'rmat', scale: 15, edgeFactor: 16, name: 'rmat' })
const ways = [{}, { memoryBytes: 2 << 20 }, { batches: 7, verify: true }]
const hashes = new Set()
const report = (runs) => {
  const { bytes, handles, threads } = host.engine()
  const own = process.memoryUsage()
  console.log(
    `${String(runs).padStart(4)} runs: engine ${(bytes / 1e6).toFixed(1)} MB, ${handles} handles, ${threads} threads; ` +
      `this process ${(own.rss / 1e6).toFixed(1)} MB`,
  )
}
const total = Number(values.runs)
for (let i = 0; i < total; i++) {
  const run = await host.wait(await host.start({ dataset: 'rmat', device: values.devices, ...ways[i % ways.length] }))
  if (run.state !== 'done') throw new Error(`run ${i} is ${run.state}: ${JSON.stringify(run.failure)}`)
  hashes.add(run.hash)
  if (i < ways.length || (i + 1) % Math.ceil(total / STEPS) === 0) report(i + 1)
}
console.log(hashes.size === 1 ? 'all sets are the same' : `DIFFERENT sets: ${[...hashes]}`)
await host.close()
