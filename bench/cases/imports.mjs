// One large edge list, as text and as gzip, imported by whole commands into empty libraries; every graph must be the same. The files `table` and
// `attributes` are one CSV with three columns beside the ids, read without them and with them: how much slower attributes make an import.
import { spawnSync } from 'node:child_process'
import { existsSync, createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { listed } from '../program.mjs'
import { writeRmatText } from '../rmat-text.mjs'
import { median } from '../table.mjs'

/** The same edges with a word, a year and a decimal each. */
async function* withColumns(text) {
  yield 'source,target,kind,since,score\n'
  const kinds = ['friend', 'colleague', 'family', 'other', 'rival']
  let [row, rows] = [0, '']
  for await (const line of createInterface({ input: createReadStream(text) })) {
    const more = `${kinds[row % 5]},${1990 + (row % 34)},${((row * 7919) % 10000) / 10000}`
    rows += `${line.replace(' ', ',')},${more}\n`
    if (++row % 4096 !== 0) continue
    yield rows
    rows = ''
  }
  yield rows
}

export async function* measure(program, { lines, scale, files, threads, memory, repeats }) {
  const text = join(program.folder, `rmat-${scale}-${lines}.txt`)
  const packed = `${text}.gz`
  if (!existsSync(text)) writeRmatText(text, Number(lines), Number(scale))
  const kinds = listed(files)
  if (kinds.includes('gzip') && !existsSync(packed)) {
    const { status, stderr } = spawnSync('gzip', ['-1', '-k', text], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`gzip ${text}: ${stderr}`)
  }
  const table = `${text}.csv`
  if ((kinds.includes('table') || kinds.includes('attributes')) && !existsSync(table))
    await pipeline(Readable.from(withColumns(text)), createWriteStream(table))
  const columns = { table: ['--attributes', 'none'], attributes: ['--attributes', 'all'] }
  const budget = memory === '' ? [] : ['--memory', memory]
  for (const [kind, file] of Object.entries({ text, gzip: packed, table, attributes: table }).filter(([kind]) =>
    kinds.includes(kind),
  ))
    for (const count of listed(threads)) {
      const runs = []
      for (let i = 0; i < Number(repeats); i++) {
        const run = await program.timedAfresh(['import', file, '--threads', count, ...budget, ...(columns[kind] ?? [])])
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
