// The exchange of the MG-MIS paper, by length of its buffers: data moved and transfers (its Table 2), throughput (Figure 5), and the words
// that the largest buffer needs in each round (Figure 6), which --figure FILE draws.
import { writeFileSync } from 'node:fs'
import { init } from 'echarts'
import { listed } from '../program.mjs'

/** Later rounds need next to nothing. */
const FIRST_ROUNDS = 20

export async function* measure(program, { graphs, devices, counts, shares, repeats, figure }) {
  const needs = []
  for (const name of listed(graphs)) {
    const dataset = program.dataset(name)
    const { vertices, arcs } = program.facts(dataset)
    for (const workers of listed(counts))
      for (const share of listed(shares).map(Number)) {
        const bufferWords = String(Math.max(2, Math.ceil(share * vertices)))
        const how = [
          '--exchange',
          'paper',
          '--priority',
          'hash',
          '--partitions',
          workers,
          '--buffer-words',
          bufferWords,
        ]
        const runs = Array.from({ length: Number(repeats) }, () =>
          program.answer('run', dataset, '--algorithm', 'mg-mis', '--devices', devices, ...how),
        )
        for (const { result } of runs) program.same(name, result.hash)
        const [{ counters, rounds, series }] = runs
        const need = series.find((each) => each.name === 'bufferNeed')?.values ?? []
        if (share === 1) needs.push({ name: `${name}, ${workers} workers`, values: need.slice(0, FIRST_ROUNDS) })
        const computeMs = runs.map(({ time }) => time.computeMs)
        yield {
          graph: name,
          workers,
          'buffer, n': share,
          'data moved, %': counters.movedPercent,
          transfers: counters.transfers,
          rounds,
          'largest buffer, words': Math.max(0, ...need),
          'compute, ms': computeMs,
          'million arcs a second': arcs / Math.min(...computeMs) / 1000,
        }
      }
  }
  if (figure !== '') writeFileSync(figure, drawn(needs))
}

/** Lines by round, as SVG. */
function drawn(lines) {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 720, height: 400 })
  const series = lines.map(({ name, values }) => ({
    name,
    type: 'line',
    data: values.map((words, i) => [i + 1, words]),
  }))
  const title = { text: 'Largest buffer needed in each round' }
  chart.setOption({
    animation: false,
    title,
    legend: { bottom: 0 },
    xAxis: { name: 'round' },
    yAxis: { name: 'words' },
    series,
  })
  return chart.renderToSVGString()
}
