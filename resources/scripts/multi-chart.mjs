// Draws where the computing of runs on 1, 2 and 4 GPUs goes, as an SVG file, from what bench-multi.mjs wrote with --json.
//   node resources/scripts/multi-chart.mjs FILE.svg "R-MAT=multi.json" "uniform=multi-uniform.json"
import { readFileSync, writeFileSync } from 'node:fs'
import * as echarts from 'echarts'

const [file, ...sources] = process.argv.slice(2)
if (sources.length === 0) throw new Error('name the file to write, and NAME=FILE of each graph')

const rows = sources.flatMap((source) => {
  const [name, path] = source.split('=')
  return JSON.parse(readFileSync(path, 'utf8')).parts.flatMap(({ title, memoryBytes, rows: each }) => {
    const memory =
      memoryBytes === undefined ? title.toLowerCase() : `${Math.round(memoryBytes / 2 ** 20)} MiB of each GPU`
    return each.map((row) => ({ ...row, label: `${name}, ${memory}: ${row.gpus} GPU${row.gpus === 1 ? '' : 's'}` }))
  })
})
// Told apart by people who do not tell colours apart (Okabe and Ito).
const stacks = [
  { name: 'kernels', color: '#0072b2', of: ({ kernelMs }) => kernelMs },
  { name: 'waiting for other workers', color: '#d55e00', of: ({ waitMs }) => waitMs },
  {
    name: 'copies, reads, threads beside the devices, driver',
    color: '#e69f00',
    of: ({ computeMs, kernelMs, waitMs }) => Math.max(0, computeMs - kernelMs - waitMs),
  },
]
const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 860, height: 90 + 26 * rows.length })
chart.setOption({
  animation: false,
  backgroundColor: '#ffffff',
  grid: { left: 290, right: 60, top: 50, bottom: 40 },
  legend: { top: 10, data: stacks.map(({ name }) => name) },
  xAxis: { type: 'value', name: 'ms', nameLocation: 'end' },
  yAxis: { type: 'category', inverse: true, data: rows.map(({ label }) => label), axisTick: { show: false } },
  series: stacks.map(({ name, color, of }, i) => ({
    name,
    type: 'bar',
    stack: 'time',
    itemStyle: { color },
    data: rows.map((row) => Number(of(row).toFixed(2))),
    label: {
      show: i === stacks.length - 1,
      position: 'right',
      formatter: ({ dataIndex }) => rows[dataIndex].computeMs.toFixed(1),
    },
  })),
})
writeFileSync(file, chart.renderToSVGString())
chart.dispose()
