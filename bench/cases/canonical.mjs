// A canonical file, linked and stored by whole commands in empty libraries, beside a copy by the system.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { listed, timedProcess } from '../program.mjs'
import { median } from '../table.mjs'

export async function* measure(program, { graphs, formats, threads, repeats }) {
  for (const graph of listed(graphs))
    for (const format of listed(formats)) {
      const file = program.file(graph, format)
      const copy = join(program.folder, 'copy')
      const times = { cp: [], 'cp, sync': [] }
      for (let i = 0; i < Number(repeats); i++) {
        times.cp.push((await timedProcess('cp', [file, copy])).seconds)
        times['cp, sync'].push(times.cp.at(-1) + (await timedProcess('sync', [copy])).seconds)
        rmSync(copy)
      }
      for (const [what, seconds] of Object.entries(times)) yield { graph, format, what, s: seconds }
      for (const count of listed(threads))
        for (const [what, more] of Object.entries({ link: ['--link'], store: [] })) {
          const runs = []
          for (let i = 0; i < Number(repeats); i++) {
            const run = await program.timedAfresh(['import', file, '--threads', count, ...more])
            program.same(what === 'store' ? graph : file, run.document.dataset.checksum)
            runs.push(run)
          }
          const jobs = runs.map(({ document }) => document.dataset.report.elapsedMs / 1000)
          yield {
            graph,
            format,
            what,
            threads: Number(count),
            s: runs.map((run) => run.seconds),
            'of it the import, s': median(jobs),
            'peak, MB': Math.round(Math.max(...runs.map(({ peakBytes }) => peakBytes)) / 1e6),
          }
        }
    }
}
