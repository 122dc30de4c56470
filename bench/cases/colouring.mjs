// Colours and times of our colouring, and of the authors' ECL-GC (CUDA), which reads .egr: kernels by GPU timestamps in both.
import { spawnSync } from 'node:child_process'
import { listed } from '../program.mjs'
import { answerMs } from './answers.mjs'

export async function* measure(program, { graphs, devices, priorities, repeats, authors }) {
  for (const name of listed(graphs)) {
    const dataset = program.dataset(name)
    const theirs = authors === '' ? {} : authorsRow(authors, program.file(name, 'egr'), Number(repeats))
    for (const device of listed(devices))
      for (const priority of listed(priorities)) {
        const documents = []
        for (let i = 0; i < Number(repeats); i++) {
          const words = ['--algorithm', 'colouring', '--devices', device, '--priority', priority]
          const { document } = await program.timed(['run', dataset, ...words])
          program.same(`${name}, ${priority}`, document.result.hash)
          documents.push(document)
        }
        yield {
          ...{ graph: name, device, priority, colours: documents[0].result.size, rounds: documents[0].rounds },
          'kernels, ms': documents.map(({ time }) => time.kernelMs),
          'to the answer, ms': documents.map(answerMs),
          ...theirs,
        }
      }
  }
}

/** What the authors' program prints, of several runs. */
function authorsRow(program, file, repeats) {
  const runs = Array.from({ length: repeats }, () => {
    const { status, stdout } = spawnSync(program, [file], { encoding: 'utf8' })
    const [colours, seconds] = [/colors used: (\d+)/, /runtime: *([\d.]+) s/].map((line) =>
      Number(line.exec(stdout)?.[1]),
    )
    if (status !== 0 || !(seconds > 0)) throw new Error(`${program} ${file} prints no "runtime": ${stdout}`)
    return { colours, ms: 1000 * seconds }
  })
  return { "authors' colours": runs[0].colours, "authors' kernels, ms": runs.map(({ ms }) => ms) }
}
