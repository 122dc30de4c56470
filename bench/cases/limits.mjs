// Whether a time limit is what a person waits: the whole command with --verify by the clock, several side by side with some cores each.
// A tenth more than the limit, and half a second, are allowed.
import { listed } from '../program.mjs'
import { sideBySide } from '../side-by-side.mjs'
import { makeGraph } from '../made-graph.mjs'

const allowed = (limit) => 1.1 * limit + 0.5

export async function* measure(program, { graphs, seconds, ...places }) {
  const limits = listed(seconds).map(Number)
  const works = listed(graphs).map((graph) => ({ graph }))
  const rows = sideBySide(program, places, works, async (pinned, { graph }) => {
    await makeGraph(pinned, program, graph)
    const row = { graph, vertices: 0, kept: true }
    for (const limit of limits) {
      const words = ['--devices', 'cpu:0', '--quality', 'best', '--time', `${limit}s`, '--verify']
      const { seconds: waited, document } = await pinned.timed('run', graph, '--algorithm', 'ecl-mis', ...words)
      row.vertices = document.dataset.vertices
      row.kept &&= waited <= allowed(limit)
      Object.assign(row, { [`${limit} s`]: document.result.size, [`waited, ${limit} s`]: waited })
    }
    return row
  })
  yield* rows
}
