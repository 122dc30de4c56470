// The time that a person waits: the whole process by the clock, from a file in an empty library, and from a dataset that is there.
import { listed, timedProcess } from '../program.mjs'
import { median } from '../table.mjs'

const WEIGHTS = { 'ld-gpu': ['--weights', 'random3'] }

/** Milliseconds from the first read to the answer in memory. */
export const answerMs = ({ time }) => time.prepareMs + time.computeMs

export async function* measure(program, { graphs, devices, algorithms, repeats, authors }) {
  for (const name of listed(graphs)) {
    const [dataset, file] = [program.dataset(name), program.file(name, 'egr')]
    const { arcs } = program.facts(dataset)
    for (const algorithm of listed(algorithms))
      for (const device of listed(devices)) {
        const words = ['--algorithm', algorithm, '--devices', device, ...(WEIGHTS[algorithm] ?? [])]
        const ours = { library: [], libraryMs: [], file: [] }
        for (let i = 0; i < Number(repeats); i++) {
          const known = await program.timed(['run', dataset, ...words])
          const fresh = await program.timedAfresh(['run', file, ...words])
          for (const { document } of [known, fresh]) program.same(`${name}, ${algorithm}`, document.result.hash)
          ours.library.push(known.seconds)
          ours.libraryMs.push(answerMs(known.document))
          ours.file.push(fresh.seconds)
        }
        yield {
          graph: name,
          arcs,
          algorithm,
          device,
          'from a file, s': ours.file,
          'from the library, s': ours.library,
          'of it to the answer, ms': ours.libraryMs,
          'authors, s': algorithm === 'ld-gpu' ? undefined : await authorsSeconds(authors, file, Number(repeats)),
        }
      }
  }
}

/** Median seconds of the authors' program (ECL-MIS, which reads .egr), the whole process; undefined where none is named. */
async function authorsSeconds(program, file, repeats) {
  if (program === '') return undefined
  const seconds = []
  for (let i = 0; i < repeats; i++) seconds.push((await timedProcess(program, [file])).seconds)
  return median(seconds)
}
