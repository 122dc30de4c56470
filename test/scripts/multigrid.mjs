// Steps of conjugate gradients that an algebraic multigrid cycle preconditions, by what aggregates its levels: those around distance-2 sets,
// and pairs of a matching. Laplacians of four meshes, the first vertex grounded; every level is aggregated by the built program.
//   npm run build && node test/scripts/multigrid.mjs [--side 40]
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Program, root } from '../../bench/program.mjs'
import { tableOf } from '../../bench/table.mjs'

const { values: chosen } = parseArgs({ options: { side: { type: 'string', default: '40' } } })
const SIDE = Number(chosen.side)
const COARSEST = 100
const TOLERANCE = 1e-8
const ways = {
  'mis2-aggregates': ['--algorithm', 'mis2-aggregates'],
  'pairs of a matching': ['--algorithm', 'ld-gpu', '--weights', 'column'],
}
const program = new Program('', 0)
let made = 0

/** Rows [starts[v], starts[v + 1]) of columns and values. */
function matrixOf(rows) {
  const starts = new Uint32Array(rows.length + 1)
  rows.forEach((row, v) => (starts[v + 1] = starts[v] + row.size))
  const [columns, values] = [new Uint32Array(starts.at(-1)), new Float64Array(starts.at(-1))]
  rows.forEach((row, v) => [...row].forEach(([u, a], i) => ([columns[starts[v] + i], values[starts[v] + i]] = [u, a])))
  return { n: rows.length, starts, columns, values }
}

function* entries({ starts, columns, values }, v) {
  for (let at = starts[v]; at < starts[v + 1]; at++) yield [columns[at], values[at]]
}

function times(a, b) {
  return matrixOf(
    Array.from({ length: a.n }, (_, v) => {
      const row = new Map()
      for (const [k, x] of entries(a, v)) for (const [u, y] of entries(b, k)) row.set(u, (row.get(u) ?? 0) + x * y)
      return row
    }),
  )
}

function transposed(a, n) {
  const rows = Array.from({ length: n }, () => new Map())
  for (let v = 0; v < a.n; v++) for (const [u, x] of entries(a, v)) rows[u].set(v, x)
  return matrixOf(rows)
}

function applied({ n, starts, columns, values }, x) {
  const y = new Float64Array(n)
  for (let v = 0; v < n; v++) for (let at = starts[v]; at < starts[v + 1]; at++) y[v] += values[at] * x[columns[at]]
  return y
}

const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0)

/** The Laplacian of a graph in .egr, which is read as it is documented, with 1 more at the first vertex. */
function laplacian(file) {
  const bytes = readFileSync(file)
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2)
  const [n, targets] = [words[0], 3 + words[0]]
  return matrixOf(
    Array.from({ length: n }, (_, v) => {
      const list = words.subarray(targets + words[2 + v], targets + words[3 + v])
      return new Map([[v, list.length + (v === 0 ? 1 : 0)], ...Array.from(list, (u) => [u, -1])])
    }),
  )
}

/** The aggregates of a matrix as a prolongation, which the program finds and writes. */
function prolongation(a, words) {
  const lines = []
  for (let v = 0; v < a.n; v++)
    for (const [u, x] of entries(a, v)) if (u < v && x !== 0) lines.push(`${v + 1} ${u + 1} ${Math.abs(x)}`)
  const [matrix, output] = ['mtx', 'prolongation'].map((end) => join(program.folder, `level-${made}.${end}`))
  made++
  const header = `%%MatrixMarket matrix coordinate real symmetric\n${a.n} ${a.n} ${lines.length}\n`
  writeFileSync(matrix, `${header}${lines.join('\n')}\n`)
  program.answer('run', matrix, '--devices', 'cpu:0', '--output', output, '--verify', ...words)
  const [, sizes, ...cells] = readFileSync(output, 'utf8').trim().split('\n')
  const rows = Array.from({ length: a.n }, () => new Map())
  for (const cell of cells) {
    const [row, column, value] = cell.split(' ').map(Number)
    rows[row - 1].set(column - 1, value)
  }
  return { p: matrixOf(rows), coarse: Number(sizes.split(' ')[1]) }
}

/** Damped Jacobi: the inverse diagonal times 4 / 3 over a bound of the largest eigenvalue (Gershgorin). */
function damped(a) {
  const diagonal = Float64Array.from({ length: a.n }, (_, v) => [...entries(a, v)].find(([u]) => u === v)[1])
  const bounds = diagonal.map((d, v) => [...entries(a, v)].reduce((sum, [, x]) => sum + Math.abs(x), 0) / d)
  const most = bounds.reduce((x, y) => Math.max(x, y))
  return diagonal.map((d) => 4 / 3 / most / d)
}

/** Cholesky's factor of a small matrix, row by row. */
function factored(a) {
  const l = Array.from({ length: a.n }, (_, v) => {
    const row = new Float64Array(a.n)
    for (const [u, x] of entries(a, v)) row[u] = x
    return row
  })
  for (let i = 0; i < a.n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = l[i][j]
      for (let k = 0; k < j; k++) sum -= l[i][k] * l[j][k]
      l[i][j] = i === j ? Math.sqrt(sum) : sum / l[j][j]
    }
  return l
}

function solved(l, b) {
  const x = Float64Array.from(b)
  for (let i = 0; i < x.length; i++) {
    for (let k = 0; k < i; k++) x[i] -= l[i][k] * x[k]
    x[i] /= l[i][i]
  }
  for (let i = x.length - 1; i >= 0; i--) {
    for (let k = i + 1; k < x.length; k++) x[i] -= l[k][i] * x[k]
    x[i] /= l[i][i]
  }
  return x
}

/** Levels of smoothed aggregation (Vanek, Mandel, Brezina 1996), the finest first. */
function hierarchy(finest, words, isSmoothed) {
  const levels = []
  for (let a = finest; ;) {
    if (a.n <= COARSEST) return [...levels, { a, factor: factored(a) }]
    const weights = damped(a)
    const { p: plain, coarse } = prolongation(a, words)
    const step = matrixOf(
      Array.from(
        { length: a.n },
        (_, v) => new Map([...entries(a, v)].map(([u, x]) => [u, (u === v) - weights[v] * x])),
      ),
    )
    const p = isSmoothed ? times(step, plain) : plain
    const r = transposed(p, coarse)
    levels.push({ a, weights, p, r })
    a = times(r, times(a, p))
  }
}

/** One V-cycle, a step of Jacobi before and one after. */
function cycle(levels, b, at = 0) {
  const { a, weights, p, r, factor } = levels[at]
  if (factor !== undefined) return solved(factor, b)
  const x = b.map((value, v) => weights[v] * value)
  const coarse = cycle(
    levels,
    applied(
      r,
      applied(a, x).map((value, v) => b[v] - value),
    ),
    at + 1,
  )
  applied(p, coarse).forEach((value, v) => (x[v] += value))
  applied(a, x).forEach((value, v) => (x[v] += weights[v] * (b[v] - value)))
  return x
}

/** Steps until the residual is TOLERANCE of what it was. */
function steps(a, levels) {
  const r = Float64Array.from({ length: a.n }, (_, v) => Math.sin(v + 1))
  const goal = TOLERANCE * Math.sqrt(dot(r, r))
  let [p, rz] = [undefined, 0]
  for (let step = 1; ; step++) {
    const z = levels === undefined ? r : cycle(levels, r)
    const before = rz
    rz = dot(r, z)
    p = p === undefined ? Float64Array.from(z) : p.map((value, v) => z[v] + (rz / before) * value)
    const ap = applied(a, p)
    const alpha = rz / dot(p, ap)
    ap.forEach((value, v) => (r[v] -= alpha * value))
    if (Math.sqrt(dot(r, r)) <= goal) return step
  }
}

const fixture = (name) => ['import', join(root, 'test/fixtures/graphs', `${name}.graph.gz`), '--name', name]
const square = Math.round(SIDE ** 1.5)
const meshes = {
  '4elt': fixture('4elt'),
  airfoil1: fixture('airfoil1'),
  [`grid ${square}^2`]: ['generate', 'grid', '--rows', square, '--columns', square, '--name', 'plane'],
  [`grid ${SIDE}^3`]: ['generate', 'grid3', '--width', SIDE, '--height', SIDE, '--depth', SIDE, '--name', 'space'],
}
const rows = []
for (const [mesh, words] of Object.entries(meshes)) {
  program.answer(...words.map(String))
  const file = join(program.folder, `${words.at(-1)}.egr`)
  program.answer('datasets', 'export', words.at(-1), '--format', 'egr', '--output', file)
  const a = laplacian(file)
  for (const [name, how] of Object.entries(ways))
    for (const isSmoothed of [true, false]) {
      const levels = hierarchy(a, how, isSmoothed)
      const work = levels.reduce((sum, level) => sum + level.a.values.length, 0) / a.values.length
      const kind = isSmoothed ? 'smoothed' : 'plain'
      rows.push({
        mesh,
        aggregates: name,
        kind,
        levels: levels.length,
        'second level': levels[1].a.n,
        work,
        steps: steps(a, levels),
      })
      console.error(JSON.stringify(rows.at(-1)))
    }
}
console.log(tableOf(rows))
program.close()
