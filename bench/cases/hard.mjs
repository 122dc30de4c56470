// How near sets of hard instances come to the best that is known: codes by their definitions and planted instances, several runs side by
// side with some cores each. "least" is what the program is expected to reach.
import { listed } from '../program.mjs'
import { sideBySide } from '../side-by-side.mjs'
import { makeGraph } from '../made-graph.mjs'

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

export function measure(program, { graphs, seconds, ...places }) {
  const works = listed(graphs).map((graph) => ({ graph }))
  return sideBySide(program, places, works, async (pinned, { graph }) => {
    await makeGraph(pinned, program, graph)
    const row = { graph, ...known(graph) }
    for (const limit of listed(seconds)) {
      const words = ['--devices', 'cpu:0', '--quality', 'best', '--time', `${limit}s`, '--verify']
      const { seconds: waited, document } = await pinned.timed('run', graph, '--algorithm', 'ecl-mis', ...words)
      Object.assign(row, { [`${limit} s`]: document.result.size, [`waited, ${limit} s`]: waited })
    }
    return row
  })
}
