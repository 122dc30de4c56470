// How large sets become in a given time: fast, swapped, better and best, with the bound; peers' figures are compared with these. Several graphs
// side by side, with some cores each.
import { basename } from 'node:path'
import { listed } from '../program.mjs'
import { sideBySide } from '../side-by-side.mjs'
import { makeGraph } from '../made-graph.mjs'

export function measure(program, { graphs, radii, files, seconds, qualities, ...places }) {
  const cities = listed(radii).map((km) => `cities-${km}km`)
  const made = [...listed(graphs), ...cities].map((graph) => ({ graph }))
  const imported = listed(files).map((file) => ({ graph: basename(file).replace(/\..*/, ''), file }))
  return sideBySide(program, places, [...made, ...imported], async (pinned, { graph, file }) => {
    await (file === undefined ? makeGraph(pinned, program, graph) : pinned.dataset(graph, ['import', file]))
    const set = async (...words) =>
      (await pinned.timed('run', graph, '--devices', 'cpu:0', '--verify', ...words)).document
    const row = { graph }
    let bound = Infinity
    const note = async (name, ...words) => {
      const { result, upperBound } = await set(...words)
      row[name] = result.size
      bound = Math.min(bound, upperBound)
    }
    for (const quality of listed(qualities)) await note(quality, '--quality', quality)
    for (const limit of listed(seconds)) await note(`best, ${limit} s`, '--quality', 'best', '--time', `${limit}s`)
    return { ...row, bound }
  })
}
