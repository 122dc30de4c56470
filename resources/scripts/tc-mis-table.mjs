// The tables of bench-tc-mis.mjs as Markdown.
const ms = (value) => (value === null || value === undefined ? '' : value.toFixed(3))

const percent = (share) => `${(100 * share).toFixed(0)} %`

/** @param results for each graph: ECL-MIS, the authors' programs, and the rows of TC-MIS */
export function printTables(results) {
  const line = (cells) => console.log(`| ${cells.join(' | ')} |`)
  const head = (cells) => [cells, cells.map(() => '---')].forEach(line)
  console.log(
    '\nTimes on the device, ms; tiles in the order of the graph, 1 seed, unless said otherwise; all phases in one pass\n',
  )
  head([
    'graph',
    'vertices',
    'arcs',
    'ECL-MIS',
    "the authors'",
    'TC-MIS, integers',
    'on tensor cores',
    '16 / 1 seeds, integers',
    'tensor',
    'size',
  ])
  for (const { ecl, authors, rows } of results) {
    const one = (counting, seeds) =>
      rows.find((row) => row.order === 'none' && row.counting === counting && row.seeds === seeds)
    const ratioOf = (counting) =>
      one(counting, 16) && one(counting, 1) ? (one(counting, 16).ms / one(counting, 1).ms).toFixed(2) : ''
    const ratios = ['integer', 'tensor'].map(ratioOf)
    const counts = [ecl.graph, ecl.vertices.toLocaleString('en'), ecl.arcs.toLocaleString('en')]
    const times = [
      ms(ecl.ms),
      authors.map((each) => ms(each.ms)).join(' / '),
      ms(one('integer', 1)?.ms),
      ms(one('tensor', 1)?.ms),
    ]
    line([...counts, ...times, ...ratios, ecl.size.toLocaleString('en')])
  }
  console.log()
  head([
    'graph',
    'order',
    'kernel',
    'seeds',
    'tiles',
    'fill',
    'MB',
    'phases 1 / 2 / 3 / late',
    'in all',
    'phase 2, GB/s',
    'of a copy',
    'less its passes',
    'set',
  ])
  for (const row of results.flatMap(({ rows }) => rows)) {
    const {
      graph,
      order,
      counting,
      seeds,
      tiles,
      fillPercent,
      tileBytes,
      phase1Ms,
      phase2Ms,
      phase3Ms,
      lateMs,
      rate,
      share,
      netRate,
      copyRate,
      isSetOfEcl,
    } = row
    const place = [
      graph,
      order,
      counting,
      seeds,
      tiles.toLocaleString('en'),
      `${fillPercent.toFixed(2)} %`,
      (tileBytes / 1e6).toFixed(0),
    ]
    const phases = [phase1Ms, phase2Ms, phase3Ms, lateMs].map(ms).join(' / ')
    const set =
      isSetOfEcl === null
        ? `${Math.min(...row.sizes)} to ${Math.max(...row.sizes)}`
        : isSetOfEcl
          ? 'of ECL-MIS'
          : 'OTHER'
    line([...place, phases, ms(row.ms), rate.toFixed(0), percent(share), percent(netRate / copyRate), set])
  }
}
