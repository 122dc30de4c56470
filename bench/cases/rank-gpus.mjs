// Ranks of this machine with a GPU each, by their PCI addresses, beside one process with all of them; the two take turns.
import { mpiEnvironment } from '../../test/support/mpi.mjs'
import { listed, timedProcess } from '../program.mjs'
import { median } from '../table.mjs'
import { answerMs } from './answers.mjs'

export async function* measure(program, { graphs, devices, algorithms, launcher, repeats }) {
  Object.assign(process.env, mpiEnvironment)
  const ranks = listed(devices).length
  const ways = {
    'one process': { start: [], words: ['--partitions', String(ranks)] },
    [`${ranks} ranks`]: { start: [...launcher.split(' '), '-n', String(ranks)], words: ['--across', 'mpi'] },
  }
  for (const name of listed(graphs)) {
    const dataset = program.dataset(name)
    for (const algorithm of listed(algorithms)) {
      const order = algorithm === 'ld-gpu' ? ['--weights', 'random3'] : ['--priority', 'hash']
      const common = ['run', dataset, '--algorithm', algorithm, '--devices', devices, ...order]
      const runs = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
      for (let i = 0; i < Number(repeats); i++)
        for (const [way, { start, words }] of Object.entries(ways)) {
          const [command, ...args] = [...start, ...program.words(...common, ...words)]
          const { seconds, output } = await timedProcess(command, args)
          const document = JSON.parse(output)
          program.same(`${name}, ${algorithm}`, document.result.hash)
          runs[way].push({ seconds, document })
        }
      const [alone] = Object.values(runs)
      const base = median(alone.map(({ document }) => answerMs(document)))
      for (const [way, list] of Object.entries(runs)) yield rowOf({ graph: name, algorithm, way }, list, base)
    }
  }
}

function rowOf(place, runs, base) {
  const documents = runs.map(({ document }) => document)
  const answers = documents.map(answerMs)
  const [first] = documents
  return {
    ...place,
    devices: first.devices.join(', '),
    'whole, s': runs.map(({ seconds }) => seconds),
    'to the answer, ms': answers,
    'over one process': median(answers) / base,
    'kernels, ms': documents.map(({ time }) => time.kernelMs),
    'exchange, ms': documents.map(({ time }) => time.exchangeMs),
    'exchanged, MB': first.bytes.exchanged / 1e6,
  }
}
