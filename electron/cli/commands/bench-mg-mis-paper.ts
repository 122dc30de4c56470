/**
 * The command bench mg-mis-paper: what workers of MG-MIS send each other by the protocol of the paper (PACMMOD 1(1), 2023, section 4), as tables and
 * as drawings. The rows count messages, words and idle rounds by sizes of the buffer.
 * The protocol itself is in workers/algorithms/reproductions.
 */

import { join } from 'node:path'
import type { Command } from 'commander'
import type { StoredDataset as Dataset } from '../../contract/dataset.ts'
import { benchmarkExchange, type ExchangeRow } from '../../service/benchmark.ts'
import { writeOutput } from '../../../workers/base/output-file.ts'
import { integerArgument } from '../argument.ts'
import { count, duration, figure } from '../text.ts'
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
        if (options.figures !== undefined) writeFigures(options.figures, rows)
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

function writeFigures(folder: string, rows: readonly ExchangeRow[]): void {
  const graphs = [...new Set(rows.map(({ dataset }) => dataset.name))]
  const widest = Math.max(...rows.map(({ bufferShare }) => bufferShare))
  for (const workers of WORKERS) {
    const lines = graphs.map((name) => {
      const own = rows.filter((row) => row.dataset.name === name && row.workers === workers)
      const rate = (row: ExchangeRow): number => row.dataset.arcs / row.computeMs.median / 1000
      return { name, points: own.map((row, i) => [i + 1, rate(row)] as const) }
    })
    const title = `Throughput by length of buffers, ${workers} workers`
    const axes = { x: 'words of a buffer (n vertices)', y: 'million arcs a second', labels: SHARE_LABELS }
    writeOutput(join(folder, `mg-mis-buffers-${workers}.svg`), lineChartSvg({ title, ...axes, lines }))
  }
  const lines = graphs.flatMap((name) =>
    WORKERS.map((workers) => {
      const row = rows.find(
        (each) => each.dataset.name === name && each.workers === workers && each.bufferShare === widest,
      )
      return {
        name: `${name}, ${workers} workers`,
        points: (row?.need ?? []).slice(0, FIRST_ROUNDS).map((words, i) => [i + 1, words] as const),
      }
    }),
  )
  const axes = { title: 'Largest buffer needed in each round', x: 'round', y: 'words' }
  writeOutput(join(folder, 'mg-mis-need.svg'), lineChartSvg({ ...axes, lines }))
}

/** Points in the order of x. */
interface ChartLine {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

interface LineChart {
  readonly title: string
  readonly x: string
  readonly y: string
  /** At x = 1, 2 ... */
  readonly labels?: readonly string[] | undefined
  readonly lines: readonly ChartLine[]
}

const WIDTH = 720
const HEIGHT = 400
const LEFT = 84
const RIGHT = 200
const TOP = 44
const BOTTOM = 56
const TICKS = 4
/** Colours of Okabe and Ito, and dashes. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9']
const DASHES = ['none', '8 4', '2 3', '10 3 2 3', '5 5', '1 2']

/** y starts at 0. */
function lineChartSvg(chart: LineChart): string {
  const points = chart.lines.flatMap(({ points: each }) => each)
  const mostX = Math.max(2, ...points.map(([x]) => x))
  const mostY = niceCeiling(Math.max(1e-9, ...points.map(([, y]) => y)))
  const px = (x: number): string => (LEFT + ((x - 1) / (mostX - 1)) * (WIDTH - LEFT - RIGHT)).toFixed(1)
  const py = (y: number): string => (HEIGHT - BOTTOM - (y / mostY) * (HEIGHT - TOP - BOTTOM)).toFixed(1)
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>${escaped(chart.title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="24" font-size="15" fill="#222222">${escaped(chart.title)}</text>`,
  ]
  for (let tick = 0; tick <= TICKS; tick++) {
    const y = (mostY * tick) / TICKS
    parts.push(
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${py(y)}" y2="${py(y)}" stroke="#dddddd"/>`,
      `<text x="${LEFT - 8}" y="${py(y)}" dy="4" text-anchor="end" fill="#444444">${figure(y)}</text>`,
    )
  }
  for (const [x, label] of xLabels(chart, mostX))
    parts.push(`<text x="${px(x)}" y="${HEIGHT - 34}" text-anchor="middle" fill="#444444">${escaped(label)}</text>`)
  chart.lines.forEach(({ name, points: each }, i) => {
    const colour = COLOURS[i % COLOURS.length]!
    const path = each.map(([x, y]) => `${px(x)},${py(y)}`).join(' ')
    const stroke = `stroke="${colour}" stroke-width="2" stroke-dasharray="${DASHES[i % DASHES.length]!}"`
    const legendY = TOP + 12 + 20 * i
    parts.push(
      `<polyline points="${path}" fill="none" ${stroke}/>`,
      ...each.map(([x, y]) => `<circle cx="${px(x)}" cy="${py(y)}" r="2.5" fill="${colour}"/>`),
      `<line x1="${WIDTH - RIGHT + 16}" x2="${WIDTH - RIGHT + 44}" y1="${legendY}" y2="${legendY}" ${stroke}/>`,
      `<text x="${WIDTH - RIGHT + 50}" y="${legendY + 4}" fill="#222222">${escaped(name)}</text>`,
    )
  })
  const middle = (LEFT + WIDTH - RIGHT) / 2
  const centre = (TOP + HEIGHT - BOTTOM) / 2
  parts.push(
    `<text x="${middle}" y="${HEIGHT - 10}" text-anchor="middle" fill="#222222">${escaped(chart.x)}</text>`,
    `<text transform="translate(16 ${centre}) rotate(-90)" text-anchor="middle" fill="#222222">${escaped(chart.y)}</text>`,
    '</svg>',
  )
  return `${parts.join('\n')}\n`
}

function xLabels({ labels }: LineChart, mostX: number): [number, string][] {
  if (labels !== undefined) return labels.map((label, i) => [i + 1, label])
  const step = Math.max(1, Math.ceil(mostX / 10))
  return Array.from({ length: Math.floor((mostX - 1) / step) + 1 }, (_, i) => [1 + i * step, String(1 + i * step)])
}

/** 1, 1.25, 1.5, 2, 2.5, 5 times a power of ten. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 1.25, 1.5, 2, 2.5, 5].find((factor) => factor * power >= value) ?? 10)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
