// The verification of a set and of a matching (weights random3, ties hash): of a run that is there, on the first so many cores (taskset, Linux),
// and as a part of `run --verify`, on a GPU with all cores, and on the first so many. It takes as many threads as there are cores. All must give
// one verdict.
import { listed, timedProcess } from '../program.mjs'

const kinds = { set: ['ecl-mis'], matching: ['ld-gpu', '--weights', 'random3'] }

export async function* measure(program, { graphs, devices, results, threads, repeats }) {
  for (const name of listed(graphs)) {
    const dataset = program.dataset(name)
    const { arcs } = program.facts(dataset)
    const times = async (cores, words, verdictOf) => {
      const found = []
      const pinned = cores === undefined ? [] : ['taskset', '-c', `0-${cores - 1}`]
      for (let i = 0; i < Number(repeats); i++) {
        const [first, ...rest] = [...pinned, ...program.words(...words)]
        const { output, seconds } = await timedProcess(first, rest, 0)
        found.push({ seconds, ...verdictOf(JSON.parse(output)) })
      }
      return found
    }
    for (const result of listed(results)) {
      const words = ['run', dataset, '--algorithm', ...kinds[result], '--devices']
      const { run } = program.answer(...words, listed(devices)[0])
      const same = (verdict) => program.same(`${name}, ${result}`, JSON.stringify(verdict))
      const row = (what, count, found) => ({
        ...{ graph: name, result, what, threads: count, 'whole, s': found.map(({ seconds }) => seconds) },
        ms: what === 'verify' ? found.map(({ ms }) => ms) : undefined,
        'least, ns an arc': what === 'verify' ? (1e6 * Math.min(...found.map(({ ms }) => ms))) / arcs : undefined,
      })
      for (const count of listed(threads).map(Number)) {
        const found = await times(count, ['verify', run], ({ elapsedMs, ...verdict }) => {
          same(verdict)
          return { ms: elapsedMs }
        })
        yield row('verify', count, found)
      }
      for (const device of listed(devices))
        for (const count of device.startsWith('cpu') ? listed(threads).map(Number) : [undefined]) {
          const found = await times(count, [...words, device, '--verify'], ({ verified }) => {
            if (!verified) throw new Error(`${name}, ${result} of ${device} is not verified`)
            return {}
          })
          yield row(`run --verify, ${device}`, count ?? 'all', found)
        }
    }
  }
}
