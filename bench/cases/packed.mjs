// A graph raw, then packed, in one go: its bytes, the time to pack it, and runs within a memory budget, the file out of the system's cache before
// each; `--memory all` runs in memory, the file in the cache. Answers of both are compared. What takes longer than the limit has no time. Times of
// the raw graph are told at once, those of both once the packed one has run. Several devices of one run are joined by +.
import { listed } from '../program.mjs'
import { dropFromCache } from './out-of-core.mjs'

const MB = 1e6

export async function* measure(program, options) {
  for (const name of listed(options.graphs)) {
    const startMs = performance.now()
    const dataset = program.dataset(name)
    console.error(`${name}: made in ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
    program.answer('datasets', 'unpack', dataset)
    const { edges } = program.facts(dataset)
    const raw = new Map()
    for await (const { what, row, s } of runsOf(program, name, dataset, options)) {
      console.error(JSON.stringify({ graph: name, form: 'raw', ...row, s }))
      raw.set(what, s)
    }
    const { seconds, document } = await program.timed(['datasets', 'pack', dataset])
    const packedBytes = document.packedBytes ?? document.bytes
    const bytes = {
      graph: name,
      arcs: 2 * edges,
      'raw, MB': Math.round(document.bytes / MB),
      'packed, MB': Math.round(packedBytes / MB),
      'times fewer bytes': Number((document.bytes / packedBytes).toFixed(2)),
      'pack, s': Number(seconds.toFixed(2)),
    }
    console.error(JSON.stringify(bytes))
    for await (const { what, row, s } of runsOf(program, name, dataset, options))
      yield { ...bytes, ...row, 'raw, s': raw.get(what), 'packed, s': s }
    if (program.isKept) program.answer('datasets', 'unpack', dataset)
  }
}

async function* runsOf(program, name, dataset, { devices, algorithms, memory, repeats, limit }) {
  const file = program.canonicalFile(dataset)
  for (const algorithm of listed(algorithms))
    for (const device of listed(devices))
      for (const budget of listed(memory)) {
        const isCold = budget !== 'all'
        const weights = algorithm === 'ld-gpu' ? ['--weights', 'random3'] : []
        const words = ['run', dataset, '--algorithm', algorithm, '--devices', device.replaceAll('+', ','), ...weights]
        if (isCold) words.push('--memory', budget)
        const timed = () => program.timed(words, undefined, Number(limit))
        const s = []
        try {
          // The first one brings the file into the cache.
          if (!isCold) await timed()
          for (let i = 0; i < Number(repeats); i++) {
            if (isCold) dropFromCache(file)
            const { seconds, document } = await timed()
            program.same(`${name}, ${algorithm}`, document.result.hash)
            s.push(Number(seconds.toFixed(3)))
          }
        } catch (error) {
          if (!error.message.includes('took more than')) throw error
          console.error(`${name}: ${error.message}`)
        }
        yield { what: words.join(' '), row: { algorithm, device, memory: budget }, s: s.length > 0 ? s : null }
      }
}
