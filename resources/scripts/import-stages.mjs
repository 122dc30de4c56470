// Imports a file in this process, with so many threads, and prints as JSON how long that took: seconds, processor seconds, and the
// milliseconds of each phase. Needs Node 24, which runs the sources as they are.
//   node resources/scripts/import-stages.mjs FILE THREADS MEMORY_BYTES
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importGraph } from '../../workers/ingest/import-graph.ts'

const [source, threads, memoryBytes] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'import-stages-'))
const startMs = performance.now()
const phases = new Map()
let [phase, sinceMs] = ['start', startMs]
const enter = (next) => {
  const nowMs = performance.now()
  phases.set(phase, (phases.get(phase) ?? 0) + nowMs - sinceMs)
  ;[phase, sinceMs] = [next, nowMs]
}
const job = { signal: { aborted: false }, log: () => {}, progress: (now) => now.phase !== phase && enter(now.phase) }
try {
  const args = { source, folder: join(folder, 'dataset'), threads: Number(threads), memoryBytes: Number(memoryBytes) }
  const { report, checksum } = await importGraph(args, job)
  enter('end')
  const { user, system } = process.cpuUsage()
  const seconds = (performance.now() - startMs) / 1000
  const phasesMs = Object.fromEntries([...phases].map(([name, ms]) => [name, Math.round(ms)]))
  const peakBytes = 1024 * process.resourceUsage().maxRSS
  const { lines } = report
  console.log(
    JSON.stringify({ seconds, processorSeconds: (user + system) / 1e6, phasesMs, peakBytes, lines, checksum }),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
