// Graphs that are generated, and the same graphs imported as texts of other formats, by whole commands into empty libraries. A text that has all
// vertices must become the graph that was generated. With `--memory` so small that a graph is built through the disk, that way is measured.
import { listed } from '../program.mjs'
import { generatorWords } from '../graphs.mjs'

/** Formats in which vertices without edges are told. */
const WHOLE = ['metis']

export async function* measure(program, { graphs, formats, threads, memory, repeats }) {
  const limits = [...(threads === '' ? [] : ['--threads', threads]), ...(memory === '' ? [] : ['--memory', memory])]
  for (const graph of listed(graphs)) {
    const ways = [['generate', ['generate', ...generatorWords(graph, program.down)]]]
    for (const format of listed(formats))
      ways.push([format, ['import', program.file(graph, format), '--format', format, '--attributes', 'none']])
    const row = { graph, 'edges, millions': 0, 'generate, peak MB': 0 }
    // Ways take turns: what else the machine does falls on all.
    for (let i = 0; i < Number(repeats); i++)
      for (const [way, words] of ways) {
        const { document, seconds, peakBytes } = await program.timedAfresh([...words, ...limits, '--no-pack'])
        const { arcs, checksum } = document.dataset
        program.same(WHOLE.includes(way) || way === 'generate' ? graph : `${graph} as ${way}`, checksum)
        row['edges, millions'] = arcs / 2e6
        if (way === 'generate')
          row['generate, peak MB'] = Math.max(row['generate, peak MB'], Math.round(peakBytes / 1e6))
        row[`${way}, s`] = [...(row[`${way}, s`] ?? []), seconds]
      }
    yield row
  }
}
