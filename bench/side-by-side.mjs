// Works of a benchmark side by side, each place with some cores of its own (taskset, Linux) and a library of its own: a run takes a device, and
// in one library all others would wait for it.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Program, timedProcess } from './program.mjs'

/** The program on some cores, with what it has in its own library. */
class PinnedProgram {
  #program
  #cores
  #names = new Set()

  constructor(folder, down, cores) {
    this.#program = new Program(folder, down)
    this.#cores = cores
    for (const { name } of this.#program.answer('datasets').datasets) this.#names.add(name)
  }

  /** Seconds of the whole command, and the document that it prints. */
  async timed(...words) {
    const args = ['-c', this.#cores, ...this.#program.words(...words)]
    const { seconds, output } = await timedProcess('taskset', args, 0)
    return { seconds, document: JSON.parse(output) }
  }

  /** What another program prints, on the same cores. */
  async other(...command) {
    return (await timedProcess('taskset', ['-c', this.#cores, ...command], 0)).output
  }

  /** Makes a dataset where the library lacks it. @param words the command that makes it */
  async dataset(name, words) {
    if (this.#names.has(name)) return
    await this.timed(...words, '--name', name)
    this.#names.add(name)
  }
}

/**
 * Takes works in their order, as many at a time as there are places, and gives the row of each once it is done; what fails is a row, too.
 * @param works each with the name of its graph @param measureOne (pinned program, work) => a row
 */
export async function* sideBySide(program, { side, cores }, works, measureOne) {
  const [places, each] = [Number(side), Number(cores)]
  const present = availableParallelism()
  if (places * each > present)
    throw new Error(`${side} places of ${cores} cores need ${places * each}, this machine has ${present}`)
  const waiting = [...works]
  const atWork = new Map()
  const begin = (place, pinned) => {
    const work = waiting.shift()
    if (work === undefined) return
    const row = measureOne(pinned, work).catch(({ message }) => ({ graph: work.graph, failed: message }))
    atWork.set(
      place,
      row.then((done) => ({ place, pinned, row: done })),
    )
  }
  for (let place = 0; place < Math.min(places, works.length); place++) {
    const own = `${place * each}-${(place + 1) * each - 1}`
    begin(place, new PinnedProgram(join(program.folder, `place-${place}`), program.down, own))
  }
  while (atWork.size > 0) {
    const { place, pinned, row } = await Promise.race(atWork.values())
    atWork.delete(place)
    begin(place, pinned)
    yield row
  }
}
