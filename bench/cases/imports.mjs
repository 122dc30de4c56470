// One large edge list, as text and as gzip, imported by whole commands into empty libraries; every graph must be the same.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listed } from '../program.mjs'
import { writeRmatText } from '../rmat-text.mjs'
import { median } from '../table.mjs'

export async function* measure(program, { lines, scale, files, threads, memory, repeats }) {
  const text = join(program.folder, `rmat-${scale}-${lines}.txt`)
  const packed = `${text}.gz`
  if (!existsSync(text)) writeRmatText(text, Number(lines), Number(scale))
  const kinds = listed(files)
  if (kinds.includes('gzip') && !existsSync(packed)) {
    const { status, stderr } = spawnSync('gzip', ['-1', '-k', text], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`gzip ${text}: ${stderr}`)
  }
  const budget = memory === '' ? [] : ['--memory', memory]
  for (const [kind, file] of Object.entries({ text, gzip: packed }).filter(([kind]) => kinds.includes(kind)))
    for (const count of listed(threads)) {
      const runs = []
      for (let i = 0; i < Number(repeats); i++) {
        const run = await program.timedAfresh(['import', file, '--threads', count, ...budget])
        program.same('graph.gr', run.document.dataset.checksum)
        runs.push(run)
      }
      const seconds = runs.map((run) => run.seconds)
      yield {
        file: kind,
        threads: Number(count),
        s: seconds,
        'of it the import, s': median(runs.map(({ document }) => document.dataset.report.elapsedMs / 1000)),
        'M lines/s': Number(lines) / median(seconds) / 1e6,
        'peak, MB': Math.round(Math.max(...runs.map(({ peakBytes }) => peakBytes)) / 1e6),
        arcs: runs[0].document.dataset.arcs,
      }
    }
}
