// Hard instances of the independent set problem, by their definitions: graphs of codes (Sloane, Challenge Problems: Independent Sets in
// Graphs) and Model RB with a planted set (Xu, Boussemart, Hemery, Lecoutre 2005, as in the benchmarks BHOSLIB).

const bitsOf = (word, length, at) => (word >>> (length - 1 - at)) & 1

/** A word without the bit at a place. */
const without = (word, at) => ((word >>> (at + 1)) << at) | (word & (2 ** at - 1))

/** Words that one error makes of a word of so many bits, and the word itself where it may arrive unchanged. */
const errors = {
  // One or two bits are deleted.
  '1dc': (word, length) => Array.from({ length }, (_, at) => without(word, at)),
  '2dc': (word, length) => errors['1dc'](word, length).flatMap((shorter) => errors['1dc'](shorter, length - 1)),
  // Two adjacent bits change places; at the ends, too.
  '1tc': (word, length) => [word, ...Array.from({ length: length - 1 }, (_, at) => swapped(word, at, at + 1, length))],
  '1et': (word, length) => [...errors['1tc'](word, length), swapped(word, length - 1, 0, length)],
  // A one becomes a zero.
  '1zc': (word, length) => [word, ...Array.from({ length }, (_, at) => word & ~(1 << at))],
}

function swapped(word, i, j, length) {
  return bitsOf(word, length, i) === bitsOf(word, length, j)
    ? word
    : word ^ (1 << (length - 1 - i)) ^ (1 << (length - 1 - j))
}

/** Words are joined that an error may make alike: an independent set is a code. Edges as pairs, the smaller first. */
function codeGraph(kind, vertices) {
  const length = Math.log2(vertices)
  const sources = new Map()
  for (let word = 0; word < vertices; word++)
    for (const made of new Set(errors[kind](word, length))) {
      if (!sources.has(made)) sources.set(made, [])
      sources.get(made).push(word)
    }
  const edges = new Set()
  for (const words of sources.values())
    for (let i = 0; i < words.length; i++) for (let j = 0; j < i; j++) edges.add(words[j] * vertices + words[i])
  return { vertices, edges: [...edges].map((edge) => [Math.floor(edge / vertices), edge % vertices]) }
}

/** A generator of numbers below 1 (Marsaglia 2003). */
function randomStream(seed) {
  let x = Math.imul(seed + 1, 0x9e3779b9) >>> 0 || 1
  const next = () => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) / 2 ** 32
  }
  for (let i = 0; i < 16; i++) next()
  return next
}

const [ALPHA, RATE, TIGHTNESS] = [0.8, 0.8 / Math.log(4 / 3), 0.25]

/**
 * Model RB at its threshold: n variables with n^0.8 values each, of which every two exclude each other; each of n ln(n) times 0.8 / ln(4/3)
 * constraints, drawn with repetition, joins a quarter of the pairs of values of two variables, none of the planted solution. Its size is n.
 */
function modelRb(variables, seed) {
  const values = Math.round(variables ** ALPHA)
  const random = randomStream(seed)
  const draw = (count) => Math.floor(count * random())
  const planted = Array.from({ length: variables }, () => draw(values))
  const vertices = variables * values
  const edges = new Set()
  const join = (u, v) => edges.add(Math.min(u, v) * vertices + Math.max(u, v))
  for (let x = 0; x < variables; x++)
    for (let i = 0; i < values; i++) for (let j = 0; j < i; j++) join(x * values + i, x * values + j)
  const constraints = Math.round(RATE * variables * Math.log(variables))
  for (let c = 0; c < constraints; c++) {
    const x = draw(variables)
    let y = draw(variables - 1)
    if (y >= x) y++
    const excluded = new Set()
    while (excluded.size < Math.round(TIGHTNESS * values * values)) {
      const [i, j] = [draw(values), draw(values)]
      if (i !== planted[x] || j !== planted[y]) excluded.add(i * values + j)
    }
    for (const pair of excluded) join(x * values + Math.floor(pair / values), y * values + (pair % values))
  }
  return { vertices, edges: [...edges].map((edge) => [Math.floor(edge / vertices), edge % vertices]) }
}

/** Loads that a driver may take first, and from one load next. */
const [FIRST, NEXT, MOST_LOADS] = [12, 6, 6]

/**
 * Routes of vehicles as Dong, Goldberg, Noe, Parotsidis, Resende, Spaen (2021) make graphs of them: a vertex is a route that a driver may take,
 * with what it earns as its weight, and routes are joined that share a driver or a load. Drivers and loads lie in a unit square, three
 * loads a driver; a route goes from load to near load.
 */
function routes(drivers, routesEach, seed) {
  const random = randomStream(seed)
  const draw = (count) => Math.floor(count * random())
  const place = () => [random(), random()]
  const loads = Array.from({ length: 3 * drivers }, () => ({ place: place(), pays: 200 + draw(800) }))
  const far = ([a, b], [c, d]) => Math.hypot(a - c, b - d)
  const near = (from, count) =>
    loads
      .map((load, at) => ({ at, far: far(from, load.place) }))
      .sort((a, b) => a.far - b.far)
      .slice(0, count)
      .map(({ at }) => at)
  const neighbours = loads.map((load) => near(load.place, NEXT + 1).slice(1))
  const weights = []
  const sharing = [...loads, ...Array.from({ length: drivers })].map(() => [])
  for (let driver = 0; driver < drivers; driver++) {
    const home = place()
    const first = near(home, FIRST)
    const known = new Set()
    for (let i = 0; i < routesEach; i++) {
      const route = [first[draw(FIRST)]]
      for (let length = 1 + draw(MOST_LOADS); route.length < length;) {
        const next = neighbours[route.at(-1)].filter((load) => !route.includes(load))
        if (next.length === 0) break
        route.push(next[draw(next.length)])
      }
      const text = route.join(' ')
      if (known.has(text)) continue
      known.add(text)
      const stops = [home, ...route.map((load) => loads[load].place), home]
      const travelled = stops.slice(1).reduce((sum, stop, at) => sum + far(stops[at], stop), 0)
      const pays = route.reduce((sum, load) => sum + loads[load].pays, 0)
      const vertex = weights.push(Math.max(1, Math.round(pays - (2000 * travelled) / Math.sqrt(drivers)))) - 1
      for (const shared of [...route, loads.length + driver]) sharing[shared].push(vertex)
    }
  }
  const vertices = weights.length
  const edges = new Set()
  for (const list of sharing)
    for (let i = 0; i < list.length; i++) for (let j = 0; j < i; j++) edges.add(list[j] * vertices + list[i])
  return { vertices, weights, edges: [...edges].map((edge) => [Math.floor(edge / vertices), edge % vertices]) }
}

const CODE = /^(1dc|2dc|1tc|1et|1zc)\.(\d+)$/
const PLANTED = /^frb(\d+)-(\d+)$/

const ROUTES = /^routes(\d+)x(\d+)-(\d+)$/

export const isHardGraph = (name) => [CODE, PLANTED, ROUTES].some((form) => form.test(name))

/**
 * A graph by its name: 1dc.1024, frb50-1 for Model RB of 50 variables with seed 1, or routes100x40-1 for 100 drivers with at most 40 routes
 * each, which has weights.
 */
export function hardGraph(name) {
  const code = CODE.exec(name)
  if (code !== null) return codeGraph(code[1], Number(code[2]))
  const rb = PLANTED.exec(name)
  if (rb !== null) return modelRb(Number(rb[1]), Number(rb[2]))
  const routing = ROUTES.exec(name)
  if (routing !== null) return routes(...routing.slice(1).map(Number))
  throw new Error(`no graph "${name}"`)
}
