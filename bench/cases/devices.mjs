// One run on the first device, on the first two, ...; the numbers of devices take turns, so that whatever warms up does so for all.
import { listed } from '../program.mjs'
import { answerMs } from './answers.mjs'

export async function* measure(program, { graphs, devices, counts, algorithms, memory, repeats }) {
  for (const name of listed(graphs)) {
    const dataset = program.dataset(name)
    for (const algorithm of listed(algorithms)) {
      const runs = new Map(listed(counts).map((count) => [Number(count), []]))
      for (let i = 0; i < Number(repeats); i++)
        for (const [count, list] of runs) {
          const weights = algorithm === 'ld-gpu' ? ['--weights', 'random3'] : ['--priority', 'hash']
          const budget = memory === '' ? [] : ['--memory', memory]
          const chosen = listed(devices).slice(0, count)
          const words = ['--algorithm', algorithm, '--devices', chosen.join(','), '--partitions', String(chosen.length)]
          const run = await program.timed(['run', dataset, ...words, ...weights, ...budget])
          program.same(`${name}, ${algorithm}`, run.document.result.hash)
          list.push(run)
        }
      for (const [count, list] of runs) yield rowOf(name, algorithm, count, list)
    }
  }
}

function rowOf(graph, algorithm, devices, runs) {
  const documents = runs.map(({ document }) => document)
  return {
    graph,
    algorithm,
    devices,
    'whole, s': runs.map(({ seconds }) => seconds),
    'to the answer, ms': documents.map(answerMs),
    'kernels, ms': documents.map(({ time }) => time.kernelMs),
    'exchange, ms': documents.map(({ time }) => time.exchangeMs),
    'exchanged, MB': documents[0].bytes.exchanged / 1e6,
    rounds: documents[0].rounds,
  }
}
