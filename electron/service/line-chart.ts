/** In the order of x. */
export interface ChartLine {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface LineChart {
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
export function lineChartSvg(chart: LineChart): string {
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
      `<text x="${LEFT - 8}" y="${py(y)}" dy="4" text-anchor="end" fill="#444444">${numberText(y)}</text>`,
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

function numberText(value: number): string {
  return value >= 1000
    ? value.toLocaleString('en-US', { maximumFractionDigits: 0 })
    : String(Number(value.toPrecision(3)))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
