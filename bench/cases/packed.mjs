// A graph raw, then packed, in one go: its bytes, the time to pack it, and runs within a memory budget, the file out of the system's cache before
// each; `--memory all` runs in memory, the file in the cache. Answers of both are compared.
import { listed } from '../program.mjs'
import { dropFromCache } from './out-of-core.mjs'

const MB = 1e6

export async function* measure(program, options) {
  for (const name of listed(options.graphs)) {
    const dataset = program.dataset(name)
    program.answer('datasets', 'unpack', dataset)
    const { edges } = program.facts(dataset)
    const raw = await runsOf(program, name, dataset, options)
    const { seconds, document } = await program.timed(['datasets', 'pack', dataset])
    const packed = document.packedBytes === null ? raw : await runsOf(program, name, dataset, options)
    const packedBytes = document.packedBytes ?? document.bytes
    for (const [i, { s, ...row }] of raw.entries())
      yield {
        graph: name,
        arcs: 2 * edges,
        'raw, MB': Math.round(document.bytes / MB),
        'packed, MB': Math.round(packedBytes / MB),
        'times fewer bytes': Number((document.bytes / packedBytes).toFixed(2)),
        'pack, s': Number(seconds.toFixed(2)),
        ...row,
        'raw, s': s,
        'packed, s': packed[i].s,
      }
    program.answer('datasets', 'unpack', dataset)
  }
}

async function runsOf(program, name, dataset, { devices, algorithms, memory, repeats }) {
  const file = program.canonicalFile(dataset)
  const rows = []
  for (const algorithm of listed(algorithms))
    for (const device of listed(devices))
      for (const budget of listed(memory)) {
        const weights = algorithm === 'ld-gpu' ? ['--weights', 'random3'] : []
        const limit = budget === 'all' ? [] : ['--memory', budget]
        const words = ['run', dataset, '--algorithm', algorithm, '--devices', device, ...limit, ...weights]
        const s = []
        // The first one brings the file into the cache.
        if (budget === 'all') await program.timed(words)
        for (let i = 0; i < Number(repeats); i++) {
          if (budget !== 'all') dropFromCache(file)
          const { seconds, document } = await program.timed(words)
          program.same(`${name}, ${algorithm}`, document.result.hash)
          s.push(seconds)
        }
        rows.push({ algorithm, device, memory: budget, s })
      }
  return rows
}
