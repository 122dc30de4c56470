// Damages files of every format, half of them as other programs wrote them, and lists of ids, in all sorts of ways, and gives each to a call of the
// service or to a command of the built program: it becomes a dataset, the same with one thread and little memory, a verified set or a verdict, or is
// refused with what and where, and with the exit code that the contract has for that. A third are small files of six formats, which a reader of its own
// (test/support/plain-graph.ts) reads too: both find one graph. An eighth are archives of many graphs, arcs of PACE and weights of many digits.
// The engine keeps to the memory of an import and 200 MB. Needs /proc (Linux), Node 24 and the built program (npm run build).
//   node test/scripts/fuzz-imports.mjs [--times 2000] [--seed 1] [--from test/fixtures] [--commands-every 10]
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { crc32, gzipSync } from 'node:zlib'
import { plainFiles, plainGraph } from '../support/plain-graph.ts'
import { drawsFrom } from '../support/attacks.mjs'
import { commandCase } from '../support/command-case.mjs'
import { ServiceInProcess } from '../support/service-in-process.mjs'
import { endOfFuzzCall, FUZZ_MEMORY } from './fuzz-calls.mjs'

const MOST_BYTES = 300_000
/** Cases until a library is thrown away: a long list of datasets takes time of its own. */
const CASES_A_LIBRARY = 100
const options = {
  times: { type: 'string', default: '2000' },
  seed: { type: 'string', default: '1' },
  from: { type: 'string', multiple: true, default: ['test/fixtures'] },
  'commands-every': { type: 'string', default: '10' },
}
const { times, seed, from, 'commands-every': every } = parseArgs({ options }).values
const random = drawsFrom(seed)

/** Ways to damage bytes. */
const ways = {
  flip: (bytes) => {
    const damaged = Buffer.from(bytes)
    for (let i = random(8); i >= 0; i--) damaged[random(damaged.length)] ^= 1 << random(8)
    return damaged
  },
  'in its head': (bytes) => {
    const damaged = Buffer.from(bytes)
    for (let i = random(3); i >= 0; i--) damaged[random(Math.min(64, damaged.length))] = random(256)
    return damaged
  },
  cut: (bytes) => bytes.subarray(0, random(bytes.length)),
  longer: (bytes) => Buffer.concat([bytes, Buffer.from(Array.from({ length: 1 + random(40) }, () => random(256)))]),
  twice: (bytes) => {
    const at = random(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(random(at + 1))])
  },
  zeros: (bytes) => {
    const at = random(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(random(100)), bytes.subarray(at)])
  },
  'another digit': (bytes) => {
    const damaged = Buffer.from(bytes)
    const digits = [...damaged.keys()].filter((at) => damaged[at] >= 0x30 && damaged[at] <= 0x39)
    if (digits.length > 0) damaged[digits[random(digits.length)]] = 0x30 + random(10)
    return damaged
  },
  'a line moved': (bytes) => {
    const lines = bytes.toString('latin1').split('\n')
    lines.splice(random(lines.length), 0, ...lines.splice(random(lines.length), 1 + random(2)))
    return Buffer.from(lines.join('\n'), 'latin1')
  },
  'as gzip': (bytes) => ways.flip(gzipSync(bytes)),
  'in an archive': (bytes) => {
    const archive = tarOf({ 'graph/graph.txt': bytes })
    return random(2) === 0 ? ways.flip(archive) : gzipSync(ways.flip(archive))
  },
}

/** An archive, as tar writes it. */
function tarOf(files) {
  const members = Object.entries(files).map(([name, bytes]) => {
    const head = Buffer.alloc(512)
    const size = bytes.length.toString(8).padStart(11, '0')
    head.write(name, 0)
    head.write(`0000644\0${'0000000\0'.repeat(2)}${size}\0${'0'.repeat(11)}\0${' '.repeat(8)}0`, 100, 'latin1')
    head.write('ustar\x0000', 257, 'latin1')
    const sum = head.reduce((all, byte) => all + byte, 0)
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    return Buffer.concat([head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
  })
  return Buffer.concat([...members, Buffer.alloc(1024)])
}

/** An archive of members that are stored as they are. */
function zipOf(files) {
  const [local, central] = [[], []]
  let at = 0
  for (const [name, bytes] of Object.entries(files)) {
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    local.push(Buffer.from('PK\x03\x04'), facts, Buffer.from(name), bytes)
    central.push(Buffer.from('PK\x01\x02\x14\0'), facts, place, Buffer.from(name))
    at += 30 + name.length + bytes.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(central.length / 4, 8)
  end.writeUInt16LE(central.length / 4, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...local, list, end])
}

const rowsOf = (count, row) => Buffer.from(Array.from({ length: count }, (_, i) => `${row(i)}\n`).join(''))
/** An array of NumPy of whole numbers. */
function npyOf(shape, numbers) {
  const dict = `{'descr': '<i4', 'fortran_order': False, 'shape': (${shape}), }\n`
  const head = Buffer.from(`\x93NUMPY\x01\x00..${dict}`, 'latin1')
  head.writeUInt16LE(dict.length, 8)
  return Buffer.concat([head, Buffer.from(Int32Array.from(numbers).buffer)])
}

/** Files that no fixture is, and what is damaged of them: one of their members, or all. */
const made = {
  'ogb.zip': (damage) => packedOf(zipOf, ogbFiles(), damage),
  'ogb.tar': (damage) => packedOf(tarOf, ogbFiles(), damage),
  'many.npz': (damage) => {
    const { graphs, nodes, edges, ends } = manyGraphs()
    const counts = {
      'num_nodes_list.npy': npyOf(`${graphs},`, nodes),
      'num_edges_list.npy': npyOf(`${graphs},`, edges),
    }
    const list = npyOf(`2, ${ends.length}`, [...ends.map(([u]) => u), ...ends.map(([, v]) => v)])
    return packedOf(zipOf, { 'edge_index.npy': list, ...counts }, damage)
  },
  e_001: (damage) => {
    const n = 2 + random(30)
    const lists = Array.from({ length: n }, () => Array.from({ length: random(5) }, () => 1 + random(n)))
    const text = `${n} ${lists.flat().length} 0\n${lists.map((list) => `${list.join(' ')}\n`).join('')}`
    return damage(Buffer.from(text))
  },
  'digits.txt': (damage) => {
    const weight = () => `${1 + random(9)}.${random(1e8)}${random(1e8)}${random(4) === 0 ? `e${random(40) - 20}` : ''}`
    return damage(rowsOf(20 + random(200), () => `${random(50)} ${random(50)} ${weight()}`))
  },
}

/** Graphs one behind another, with ids from 0 in each. */
function manyGraphs() {
  const nodes = Array.from({ length: 2 + random(6) }, () => 1 + random(9))
  const lists = nodes.map((n) => Array.from({ length: random(12) }, () => [random(n), random(n)]))
  return { graphs: nodes.length, nodes, edges: lists.map(({ length }) => length), ends: lists.flat() }
}

function ogbFiles() {
  const { graphs, nodes, edges, ends } = manyGraphs()
  const vertices = nodes.reduce((all, n) => all + n, 0)
  return {
    'x/raw/edge.csv.gz': gzipSync(rowsOf(ends.length, (i) => ends[i].join())),
    'x/raw/num-node-list.csv.gz': gzipSync(rowsOf(graphs, (i) => nodes[i])),
    'x/raw/num-edge-list.csv.gz': gzipSync(rowsOf(graphs, (i) => edges[i])),
    'x/raw/node-feat.csv.gz': gzipSync(rowsOf(vertices, () => `${random(99)},0.${random(99)}`)),
    'x/raw/edge-feat.csv.gz': gzipSync(rowsOf(ends.length, () => random(9))),
  }
}

function packedOf(pack, files, damage) {
  const name = oneOf(Object.keys(files))
  return random(2) === 0 ? damage(pack(files)) : pack({ ...files, [name]: damage(files[name]) })
}

const isSmall = (path) => statSync(path).size > 0 && statSync(path).size < MOST_BYTES
const bases = from
  .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => isSmall(path) && !/\.(md|ts|golden\.json)$/.test(path))
/** Written by another program, or as its manual shows. */
const ofOthers = bases.filter((path) => path.includes('/tables/') || /written by/.test(goldenOf(path)))
function goldenOf(path) {
  const golden = `${path}.golden.json`
  return existsSync(golden) ? readFileSync(golden, 'utf8') : ''
}

const folder = mkdtempSync(join(tmpdir(), 'fuzz-imports-'))
const oneOf = (list) => list[random(list.length)]

/** A ring of 60 vertices and the lists that commands take for it, sound. */
const ids = Array.from({ length: 60 }, (_, i) => `v${i}`)
const ring = join(folder, 'ring.txt')
writeFileSync(ring, ids.map((id, i) => `${id} ${ids[(i + 1) % 60]}\n`).join(''))
const even = ids.filter((_, i) => i % 2 === 0)
const listed = (command, option) => (file) => [
  command,
  'ring',
  option,
  file,
  ...(command === 'run' ? ['--devices', 'cpu:0', '--verify'] : []),
]
const lists = {
  set: [even.join('\n'), listed('verify', '--set'), (set) => ({ set })],
  pairs: [
    even.map((id, i) => `${id},v${2 * i + 1}`).join('\n'),
    listed('verify', '--pairs'),
    (pairs) => ({ pairs, weights: 'unit' }),
  ],
  column: [
    ids.map((id, i) => `${id},${i % 7}`).join('\n'),
    listed('run', '--column'),
    (columnFile) => ({ priority: 'column', columnFile }),
  ],
  keep: ['v0\nv8\nv20\n', listed('run', '--keep'), (keepFile) => ({ keepFile })],
  exclude: ['v1\nv9\n', listed('run', '--exclude'), (excludeFile) => ({ excludeFile })],
}

/** One damaged file, and the command that is given it. */
function makeCase(i) {
  const way = oneOf(Object.keys(ways))
  const [before, after] = way === 'as gzip' ? ['gz-', '.gz'] : ['', '']
  if (random(8) === 0) {
    const kind = oneOf(Object.keys(lists))
    const [sound, wordsOf, argsOf] = lists[kind]
    const source = join(folder, `${before}${kind}.txt${after}`)
    const damaged = ways[way](Buffer.from(sound))
    return { from: `a list of ${kind}`, way, source, damaged, words: wordsOf(source), args: argsOf(source) }
  }
  if (i % 3 === 0) {
    const [name, sound] = oneOf([...plainFiles(3 + random(30), random)])
    const source = join(folder, `${before}${name}${after}`)
    // Every eighth stays whole.
    const damaged = random(8) === 0 && way !== 'as gzip' ? sound : ways[way](sound)
    return { from: `plain ${name}`, way, source, damaged, words: ['import', source, '--name', `d${i}`], isPlain: true }
  }
  if (random(4) === 0 && way !== 'as gzip' && way !== 'in an archive') {
    const name = oneOf(Object.keys(made))
    const source = join(folder, name)
    // Every eighth stays whole.
    const damaged = made[name](random(8) === 0 ? (bytes) => bytes : ways[way])
    const which = /^(?:ogb|many)/.test(name) && random(6) > 0 ? ['--member', String(1 + random(8))] : []
    return { from: `a made ${name}`, way, source, damaged, words: ['import', source, '--name', `d${i}`, ...which] }
  }
  const base = i % 2 === 0 ? oneOf(ofOthers) : oneOf(bases)
  const source = join(folder, `${before}${basename(base)}${after}`)
  // A graph of WebGraph is told from the file beside it.
  const beside = base.replace(/\.graph$/, '.properties')
  if (existsSync(beside)) copyFileSync(beside, join(folder, basename(beside)))
  const words =
    random(4) === 0
      ? ['run', source, '--name', `d${i}`, '--devices', 'cpu:0', '--verify']
      : ['import', source, '--name', `d${i}`]
  return { from: base, way, source, damaged: ways[way](readFileSync(base)), words }
}

/** What is wrong with an answer, by what it says of itself; empty where nothing is. */
function wrongIn([command], { code, document }) {
  if (code !== 0 || document === undefined) return []
  if (command !== 'import') return document.verified === true ? [] : ['exit code 0 and not verified']
  const { dataset } = document
  return 2 * dataset.edges === dataset.arcs ? [] : [`${dataset.edges} edges and ${dataset.arcs} arcs`]
}

/** An import of a plain file, and the graph that the other reader finds. */
function otherwiseRead({ damaged, isPlain }, { code, document }) {
  const found = isPlain === true && code === 0 ? plainGraph(damaged, document.dataset.report.format) : null
  if (found === null) return []
  counts.compared++
  const { vertices, edges } = document.dataset
  return vertices === found.vertices && edges === found.edges
    ? []
    : [`${vertices} vertices and ${edges} edges, and another reader finds ${found.vertices} and ${found.edges}`]
}

/** Bytes that an import may take beside its memory. */
const BESIDE = 200e6
let mostBytes = 0
/** The most that the engine had since it was asked last. Needs Linux. */
function peakOf(pid) {
  try {
    const peak = 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1])
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    return peak
  } catch {
    // It has ended.
    return 0
  }
}

const counts = { compared: 0, 'exit 0': 0, 'exit 2': 0, 'exit 3': 0, 'other exits': 0, hung: 0, breach: 0, wrong: 0 }
const byCommand = {}
const host = new ServiceInProcess()
await host.service.call('datasets.import', { source: ring, name: 'ring' })
let library
for (let i = 0; i < Number(times); i++) {
  if (i % CASES_A_LIBRARY === 0) {
    if (library !== undefined) rmSync(library, { recursive: true })
    library = join(folder, `library-${i}`)
    const made = await commandCase(['import', ring, '--name', 'ring'], { library })
    if (made.code !== 0) throw new Error(made.stderr)
  }
  const attacked = makeCase(i)
  const { from: base, way, source, damaged, words, args } = attacked
  writeFileSync(source, damaged)
  // A run names the dataset after the file, and finds it there again: it gets a library of its own.
  const own = join(folder, 'own')
  const end =
    i % Number(every) === 0
      ? await commandCase(words, { library: words[0] === 'run' && words[1] === source ? own : library })
      : await endOfFuzzCall(host, words, args)
  rmSync(own, { recursive: true, force: true })
  const wrong = [...wrongIn(words, end), ...(words[0] === 'import' ? otherwiseRead(attacked, end) : [])]
  const peak = peakOf(host.pool.enginePid)
  mostBytes = Math.max(mostBytes, peak)
  if (peak > FUZZ_MEMORY + BESIDE) wrong.push(`the engine had ${Math.round(peak / 1e6)} MB`)
  const exit = `exit ${end.code}`
  const row = (byCommand[`${words[0]}, ${i % Number(every) === 0 ? 'command' : 'call'}`] ??= {})
  row[end.isHung ? 'hung' : exit] = (row[end.isHung ? 'hung' : exit] ?? 0) + 1
  counts[end.isHung ? 'hung' : exit in counts ? exit : 'other exits']++
  if (end.breaches.length > 0) counts.breach++
  if (wrong.length > 0) counts.wrong++
  if (!end.isHung && end.breaches.length + wrong.length === 0) continue
  const kept = join(tmpdir(), `fuzz-${seed}-${i}-${basename(source)}`)
  writeFileSync(kept, damaged)
  console.log(i, base, way, words[0], end.isHung ? 'hung' : [...end.breaches, ...wrong].join(', '), kept, end.stderr)
}
console.table(byCommand)
console.log(
  `${times} damaged files of ${bases.length}, ${ofOthers.length} of other programs, and ${Object.keys(lists).length} lists: ${JSON.stringify(counts)}; the engine had ${Math.round(mostBytes / 1e6)} MB at most`,
)
if (counts.hung + counts.breach + counts.wrong + counts['other exits'] > 0) process.exitCode = 1
await host.close()
rmSync(folder, { recursive: true })
