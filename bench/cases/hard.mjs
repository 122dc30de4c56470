// How near sets of hard instances come to the best that is known: codes by their definitions and planted instances, several runs side by
// side with some cores each. "least" is what the program is expected to reach. The graphs of bench/cases/limits.mjs
// are measured, too; in nine minutes of 16 cores with --side 8.
import { listed } from '../program.mjs'
import { sideBySide } from '../side-by-side.mjs'
import { isHardGraph } from '../hard-graphs.mjs'
import { makeGraph } from '../made-graph.mjs'
import { withinLimits } from './limits.mjs'

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

/** Each search by the clock, verification included: whether the limits are kept belongs to it. Large graphs come first, as they take longest. */
export function measure(program, { graphs, limits, seconds, planted, ...places }) {
  const works = [
    ...listed(limits).map((graph) => ({ graph, seconds: ['1', '10', '60'] })),
    ...listed(graphs)
      .filter((graph) => !listed(limits).includes(graph))
      .map((graph) => ({ graph, seconds: listed(graph.startsWith('frb') ? planted : seconds) })),
  ]
  return sideBySide(program, places, works, async (pinned, { graph, seconds }) => {
    await makeGraph(pinned, program, graph)
    const row = isHardGraph(graph) ? { graph, ...known(graph) } : { graph }
    return { ...row, ...(await withinLimits(pinned, graph, seconds.map(Number))) }
  })
}
