// How near sets of hard instances come to the best that is known: codes by their definitions and planted instances, several runs side by
// side with some cores each. "least" is what the program is expected to reach.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hardGraph } from '../hard-graphs.mjs'
import { listed, timedProcess } from '../program.mjs'

/** Largest known sets of code graphs (Sloane; Butenko, Pardalos and others 2002, for 1zc; Andrade, Resende, Werneck 2012). */
const KNOWN = {
  ...{ '1dc.512': 52, '1dc.1024': 94, '1dc.2048': 172, '2dc.512': 11, '2dc.1024': 16, '2dc.2048': 24 },
  ...{ '1tc.512': 110, '1tc.1024': 196, '1tc.2048': 352, '1et.512': 100, '1et.1024': 171, '1et.2048': 316 },
  ...{ '1zc.512': 62, '1zc.1024': 112, '1zc.2048': 198, '1zc.4096': 379 },
}
const LEAST = { '1zc.4096': 370 }

/** Model RB is planted; of more variables than these one less is expected. */
const EASY_VARIABLES = 53

function known(name) {
  if (KNOWN[name] !== undefined) return { known: KNOWN[name], least: LEAST[name] ?? KNOWN[name] }
  const variables = Number(/^frb(\d+)-/.exec(name)[1])
  return { known: variables, least: variables <= EASY_VARIABLES ? variables : variables - 1 }
}

function imported(program, name) {
  if (program.facts(name) !== undefined) return
  const file = join(program.folder, `${name}.txt`)
  writeFileSync(
    file,
    hardGraph(name)
      .edges.map((pair) => pair.join(' '))
      .join('\n'),
  )
  program.answer('import', file, '--format', 'edge-list', '--name', name)
}

export async function* measure(program, { graphs, seconds, side, cores }) {
  const names = listed(graphs)
  for (const name of names) imported(program, name)
  const rows = new Map(names.map((name) => [name, { graph: name, ...known(name) }]))
  for (const limit of listed(seconds)) {
    const waiting = [...names]
    const work = async (place) => {
      const first = place * Number(cores)
      const pinned = ['-c', `${first}-${first + Number(cores) - 1}`]
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const words = [
          'run',
          name,
          '--algorithm',
          'ecl-mis',
          '--devices',
          'cpu:0',
          '--quality',
          'best',
          '--time',
          `${limit}s`,
        ]
        const { output } = await timedProcess('taskset', [...pinned, ...program.words(...words, '--verify')])
        const { result, elapsedMs } = JSON.parse(output)
        Object.assign(rows.get(name), { [`${limit} s`]: result.size })
        if (elapsedMs !== undefined) rows.get(name)[`waited, ${limit} s`] = Math.round(elapsedMs) / 1000
      }
    }
    await Promise.all(Array.from({ length: Number(side) }, (_, place) => work(place)))
  }
  yield* rows.values()
}
