// Graphs that do not fit the memory of their run, the file out of the system's cache before each run (GNU dd drops it).
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { listed } from '../program.mjs'

export function dropFromCache(file) {
  const words = [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none']
  const { status, stderr, error } = spawnSync('dd', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${file} stays in the system's cache: ${stderr ?? error?.message}`)
}

export async function* measure(program, { graphs, devices, algorithms, memory, repeats }) {
  for (const name of listed(graphs)) {
    const dataset = program.dataset(name)
    const file = program.canonicalFile(dataset)
    const fileBytes = statSync(file).size
    for (const algorithm of listed(algorithms))
      for (const device of listed(devices)) {
        const weights = algorithm === 'ld-gpu' ? ['--weights', 'random3'] : []
        const words = ['run', dataset, '--algorithm', algorithm, '--devices', device, '--memory', memory, ...weights]
        const runs = []
        for (let i = 0; i < Number(repeats); i++) {
          dropFromCache(file)
          runs.push(await program.timed(words))
        }
        for (const { document } of runs) program.same(`${name}, ${algorithm}`, document.result.hash)
        const [{ document }] = runs
        yield {
          graph: name,
          algorithm,
          device,
          s: runs.map(({ seconds }) => seconds),
          'peak, MB': Math.round(Math.max(...runs.map(({ peakBytes }) => peakBytes)) / 1e6),
          passes: document.passes,
          'read, % of the file': Math.round((100 * document.bytes.read) / fileBytes),
        }
      }
  }
}
