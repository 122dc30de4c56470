// Whether a time limit is what a person waits: the whole command with --verify by the clock, several side by side with some cores each.
// A tenth more than the limit, and half a second, are allowed.
import { listed } from '../program.mjs'
import { sideBySide } from '../side-by-side.mjs'
import { makeGraph } from '../made-graph.mjs'

const allowed = (limit) => 1.1 * limit + 0.5

/** Sizes and seconds of a search by each limit, and whether all are kept. */
export async function withinLimits(pinned, graph, limits) {
  const row = { vertices: 0, kept: true }
  for (const limit of limits) {
    const words = ['--devices', 'cpu:0', '--quality', 'best', '--time', `${limit}s`, '--verify']
    const { seconds: waited, document } = await pinned.timed('run', graph, '--algorithm', 'ecl-mis', ...words)
    row.vertices = document.dataset.vertices
    row.kept &&= waited <= allowed(limit)
    Object.assign(row, { [`${limit} s`]: document.result.size, [`waited, ${limit} s`]: waited })
  }
  return row
}

export function measure(program, { graphs, seconds, ...places }) {
  const works = listed(graphs).map((graph) => ({ graph }))
  return sideBySide(program, places, works, async (pinned, { graph }) => {
    await makeGraph(pinned, program, graph)
    return { graph, ...(await withinLimits(pinned, graph, listed(seconds).map(Number))) }
  })
}
