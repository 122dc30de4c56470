// The verification of a set and of a matching (weights random3, ties hash) on the first so many cores (taskset, Linux): it takes as many
// threads as there are cores. All must give one verdict.
import { listed, timedProcess } from '../program.mjs'

const kinds = { set: ['ecl-mis'], matching: ['ld-gpu', '--weights', 'random3'] }

export async function* measure(program, { graphs, device, threads, repeats }) {
  for (const name of listed(graphs)) {
    const dataset = program.dataset(name)
    const { arcs } = program.facts(dataset)
    for (const [result, algorithm] of Object.entries(kinds)) {
      const { run } = program.answer('run', dataset, '--devices', device, '--algorithm', ...algorithm)
      for (const count of listed(threads).map(Number)) {
        const ms = []
        for (let i = 0; i < Number(repeats); i++) {
          const { output } = await timedProcess('taskset', ['-c', `0-${count - 1}`, ...program.words('verify', run)])
          const { elapsedMs, ...verdict } = JSON.parse(output)
          program.same(`${name}, ${result}`, JSON.stringify(verdict))
          ms.push(elapsedMs)
        }
        const nsAnArc = (1e6 * Math.min(...ms)) / arcs
        yield { graph: name, arcs, result, threads: count, ms, 'least, ns an arc': nsAnArc }
      }
    }
  }
}
