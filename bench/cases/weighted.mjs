// How heavy sets of vehicle routing become in a given time, beside CHILS where its program is given: several graphs side by side, with some cores
// each.
import { listed } from '../program.mjs'
import { sideBySide } from '../side-by-side.mjs'
import { makeGraph, metisFile } from '../made-graph.mjs'

/** Solutions that CHILS keeps beside one another, and seconds between their exchanges, for limits of seconds. */
const CHILS = ['-p', '4', '-s', '1', '-r', '1']

export function measure(program, { graphs, seconds, chils, ...places }) {
  const works = listed(graphs).map((graph) => ({ graph }))
  return sideBySide(program, places, works, async (pinned, { graph }) => {
    await makeGraph(pinned, program, graph)
    const row = { graph }
    for (const limit of listed(seconds)) {
      const words = ['--weights', 'column', '--attribute', 'weight', '--quality', 'best', '--time', `${limit}s`]
      const { document } = await pinned.timed('run', graph, '--devices', 'cpu:0', '--verify', ...words)
      row.vertices = document.dataset.vertices
      row[`weight, ${limit} s`] = document.result.weight
      row.bound = Math.min(row.bound ?? Infinity, document.upperBound)
      if (chils === '') continue
      const text = await pinned.other(
        chils,
        '-g',
        metisFile(program.folder, graph),
        '-t',
        limit,
        '-c',
        places.cores,
        ...CHILS,
      )
      row[`CHILS, ${limit} s`] = Number(text.split(',')[3])
    }
    return row
  })
}
