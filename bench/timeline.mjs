// When the threads of a command start, until when they work, and how much (Linux): node bench/timeline.mjs WORDS of a command
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { treeOf } from '../test/support/process-memory.mjs'
import { root } from './program.mjs'
import { tableOf } from './table.mjs'

const SAMPLE_MS = 10
const TICK_MS = 10

const library = mkdtempSync(join(tmpdir(), 'anticlique-timeline-'))
const words = [join(root, 'electron', 'launch.mjs'), '--library', library, '--json', ...process.argv.slice(2)]
const startMs = performance.now()
const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] })
const threads = new Map()

function look() {
  const now = Math.round(performance.now() - startMs)
  for (const pid of treeOf(child.pid))
    try {
      for (const id of readdirSync(`/proc/${pid}/task`)) {
        const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8')
        const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const [userMs, systemMs] = [TICK_MS * fields[11], TICK_MS * fields[12]]
        const before = threads.get(id) ?? { pid, firstMs: now, userMs: 0, systemMs: 0, lastMs: now }
        const lastMs = userMs + systemMs > before.userMs + before.systemMs ? now : before.lastMs
        threads.set(id, { ...before, name, userMs, systemMs, lastMs })
      }
    } catch {
      // It has ended meanwhile.
    }
}

const sampling = setInterval(look, SAMPLE_MS)
child.on('exit', (code) => {
  clearInterval(sampling)
  rmSync(library, { recursive: true, force: true })
  console.log(`exit code ${code} after ${Math.round(performance.now() - startMs)} ms`)
  const groups = Map.groupBy(threads.values(), ({ pid, name }) => `${pid} ${name}`)
  const rows = [...groups].map(([thread, all]) => {
    const sum = (key) => all.reduce((total, each) => total + each[key], 0)
    return {
      thread,
      count: all.length,
      'first, ms': Math.min(...all.map(({ firstMs }) => firstMs)),
      'all, ms': Math.max(...all.map(({ firstMs }) => firstMs)),
      'at work until, ms': Math.max(...all.map(({ lastMs }) => lastMs)),
      'user, ms': sum('userMs'),
      'system, ms': sum('systemMs'),
    }
  })
  console.log(tableOf(rows))
})
