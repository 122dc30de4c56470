/**
 * The command bench mg-mis-paper: what workers of MG-MIS send each other by the protocol of the paper (Akathoott and others, ICS 2025), as tables and
 * as drawings, which ECharts makes. The rows count messages, words and idle rounds by sizes of the buffer.
 * The protocol itself is in workers/algorithms/reproductions.
 */

import { join } from 'node:path'
import type { Command } from 'commander'
import type { StoredDataset as Dataset } from '../../contract/dataset.ts'
import { benchmarkExchange, type ExchangeRow } from '../../service/benchmark.ts'
import { writeOutput } from '../../../workers/base/output-file.ts'
import { integerArgument } from '../argument.ts'
import { count, duration } from '../text.ts'
import type { Shell, Workplace } from '../shell.ts'

interface PaperBenchOptions {
  readonly devices: string
  readonly from: number
  readonly to: number
  readonly edgeFactor: number
  readonly repeats: number
  readonly figures?: string
}

const WORKERS = [2, 4]
/** Shares of the vertices; with the last, no message waits. */
const BUFFER_SHARES = [1 / 32, 1 / 16, 1 / 8, 1]
/** Later ones need next to nothing. */
const FIRST_ROUNDS = 20
const SHARE_LABELS = ['n/32', 'n/16', 'n/8', 'n']

const examples = `
R-MAT graphs are generated into the library where they are not there yet, as rmat-SCALE-EDGEFACTOR. The exchange is that of the
paper, by --priority hash. Everything but the times is the same on every run and device.

Examples:
  anticlique bench mg-mis-paper --figures docs/figures
  anticlique bench mg-mis-paper --devices gpu:0,gpu:1 --from 22 --to 24`

/** Table 2 and Figures 5 and 6 of the MG-MIS paper, in shape. */
export function registerPaperBench(bench: Command, shell: Shell): void {
  bench
    .command('mg-mis-paper')
    .description('Repeat what the MG-MIS paper measures of its exchange: data moved, transfers, sizes of buffers.')
    .option('--devices <list>', 'devices that 2 and 4 workers take in turn', 'cpu:0')
    .option('--from <n>', 'the smallest graph has 2^n vertices', integerArgument(1, 31), 20)
    .option('--to <n>', 'the largest graph has 2^n vertices', integerArgument(1, 31), 22)
    .option('--edge-factor <n>', 'edges drawn for each vertex', integerArgument(1), 16)
    .option('--repeats <n>', 'runs to measure of each kind', integerArgument(1, 1000), 1)
    .option('--figures <folder>', 'write the figures there, as SVG')
    .addHelpText('after', examples)
    .action((options: PaperBenchOptions) =>
      shell.open(async (place) => {
        const datasets = await graphsOf(options, place, shell)
        const { devices: device, repeats } = options
        const request = { datasets, device, repeats, workers: WORKERS, bufferShares: BUFFER_SHARES }
        const rows = await benchmarkExchange(place, request, shell.job)
        if (options.figures !== undefined) await writeFigures(options.figures, rows)
        shell.answer({ algorithm: 'mg-mis', exchange: 'paper', repeats, rows: rows.map(rowDocument) }, tablesText(rows))
      }),
    )
}

async function graphsOf(
  { from, to, edgeFactor }: PaperBenchOptions,
  place: Workplace,
  shell: Shell,
): Promise<Dataset[]> {
  const datasets: Dataset[] = []
  const known = place.library.datasets.list()
  for (let scale = from; scale <= to; scale++) {
    const name = `rmat-${scale}-${edgeFactor}`
    const model = { model: 'rmat', scale, edgeFactor, seed: 1, name } as const
    const found = known.find((dataset) => dataset.name === name)
    datasets.push(found ?? (await place.service.call('datasets.generate', model, shell.job)).dataset)
  }
  return datasets
}

function rowDocument({ dataset, ...row }: ExchangeRow): object {
  const { name, vertices, arcs, maxDegree } = dataset
  return { graph: { name, vertices, edges: arcs / 2, maxDegree }, ...row }
}

function tablesText(rows: readonly ExchangeRow[]): string {
  const widest = Math.max(...rows.map(({ bufferShare }) => bufferShare))
  const moved = rows
    .filter(({ bufferShare }) => bufferShare === widest)
    .map((row) => [
      ...[row.dataset.name, count(row.dataset.arcs), String(row.workers), `${row.movedPercent.toFixed(2)} %`],
      ...[count(row.transfers), String(row.rounds), count(Math.max(0, ...row.need))],
    ])
  const buffers = rows.map((row) => [
    ...[row.dataset.name, String(row.workers), count(row.bufferWords), String(row.rounds)],
    ...[`${row.movedPercent.toFixed(2)} %`, count(row.transfers), duration(row.computeMs.median)],
  ])
  return [
    markdown(['graph', 'arcs', 'workers', 'data moved', 'transfers', 'rounds', 'largest buffer, words'], moved),
    markdown(['graph', 'workers', 'buffer, words', 'rounds', 'data moved', 'transfers', 'compute'], buffers),
  ].join('\n\n')
}

function markdown(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(titles), line(titles.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

async function writeFigures(folder: string, rows: readonly ExchangeRow[]): Promise<void> {
  const graphs = [...new Set(rows.map(({ dataset }) => dataset.name))]
  const widest = Math.max(...rows.map(({ bufferShare }) => bufferShare))
  for (const workers of WORKERS) {
    const lines = graphs.map((name) => {
      const own = rows.filter((row) => row.dataset.name === name && row.workers === workers)
      return { name, values: own.map(({ dataset, computeMs }) => dataset.arcs / computeMs.median / 1000) }
    })
    const title = `Throughput by length of buffers, ${workers} workers`
    const axes = { x: 'words of a buffer (n vertices)', y: 'million arcs a second', labels: SHARE_LABELS }
    writeOutput(join(folder, `mg-mis-buffers-${workers}.svg`), await lineChartSvg({ title, ...axes, lines }))
  }
  const lines = rows
    .filter(({ bufferShare }) => bufferShare === widest)
    .map(({ dataset: { name }, workers, need }) => ({
      name: `${name}, ${workers} workers`,
      values: need.slice(0, FIRST_ROUNDS),
    }))
  const labels = Array.from({ length: FIRST_ROUNDS }, (_, round) => String(round + 1))
  const axes = { title: 'Largest buffer needed in each round', x: 'round', y: 'words', labels }
  writeOutput(join(folder, 'mg-mis-need.svg'), await lineChartSvg({ ...axes, lines }))
}

interface LineChart {
  readonly title: string
  readonly x: string
  readonly y: string
  /** What each place on the x axis is called. */
  readonly labels: readonly string[]
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[]
}

async function lineChartSvg({ title, x, y, labels, lines }: LineChart): Promise<string> {
  const { init, use } = await import('echarts/core')
  const { LineChart } = await import('echarts/charts')
  const { GridComponent, LegendComponent, TitleComponent } = await import('echarts/components')
  const { SVGRenderer } = await import('echarts/renderers')
  use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 720, height: 400 })
  chart.setOption({
    animation: false,
    title: { text: title },
    legend: { orient: 'vertical', right: 0, top: 'middle' },
    grid: { right: 200 },
    xAxis: { type: 'category', data: [...labels], name: x, nameLocation: 'middle' },
    yAxis: { name: y },
    series: lines.map(({ name, values }) => ({ name, type: 'line', data: [...values] })),
  })
  const svg = chart.renderToSVGString()
  // Its timers would keep the program from ending.
  chart.dispose()
  return svg
}
