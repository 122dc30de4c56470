// Computes sets of graphs larger than the memory that the device may use: from a cold file, with the heads on the device and with everything
// streamed. Prints times, the share of the view that was read, and the rate against those of reading the file alone, gigabytes of it and as
// much as the run reads: the less, the more a disk's beginning counts. Needs the built
// program, GNU dd and fincore (Linux), and much disk: 30 GB while one of the default graphs is prepared, 14 GB each once it is. With --drop
// a graph is removed once it is measured. What preparing takes is printed with its rates.
//   node resources/scripts/bench-out-of-core.mjs --library DIR [--device gpu:0] [--scale 26] [--edge-factor 16] [--models rmat,uniform]
//                                                [--memory 4GiB] [--tight 256MiB] [--priority degree] [--repeats 3] [--drop]
// Graphs that the library already has by the names rmat-26-16 and uniform-26-16 are used as they are.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { median } from './bench-figures.mjs'

const PART_BYTES = 8 << 20
const RATE_BYTES = 8 * 2 ** 30
const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
const { values } = parseArgs({
  options: {
    library: { type: 'string' },
    device: { type: 'string', default: 'gpu:0' },
    scale: { type: 'string', default: '26' },
    'edge-factor': { type: 'string', default: '16' },
    models: { type: 'string', default: 'rmat,uniform' },
    memory: { type: 'string', default: '4GiB' },
    tight: { type: 'string', default: '256MiB' },
    priority: { type: 'string', default: 'degree' },
    repeats: { type: 'string', default: '3' },
    drop: { type: 'boolean', default: false },
  },
})
if (values.library === undefined) throw new Error('name a folder on the disk to measure with --library')
const { device, priority } = values

function answer(...more) {
  const words = [launcher, '--library', values.library, '--json', ...more]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`"${more.join(' ')}" ended with ${status}: ${stderr}${stdout}`)
  return JSON.parse(stdout)
}

function dropFromCache(path) {
  spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' })
  const { stdout } = spawnSync('fincore', ['--bytes', '--noheadings', '--output', 'RES', path], { encoding: 'utf8' })
  if (Number(stdout) > 0.01 * statSync(path).size) throw new Error(`${path} stays in the cache`)
}

/** Bytes a millisecond, of so many that are read in large parts from the start. */
function sequentialRate(path, most = RATE_BYTES) {
  dropFromCache(path)
  const file = openSync(path, 'r')
  const part = Buffer.alloc(PART_BYTES, 1)
  const startMs = performance.now()
  let bytes = 0
  for (let count = readSync(file, part); count > 0 && bytes < most; count = readSync(file, part)) bytes += count
  closeSync(file)
  return bytes / (performance.now() - startMs)
}

function prepare(model) {
  const [scale, edgeFactor] = [Number(values.scale), Number(values['edge-factor'])]
  const name = `${model}-${scale}-${edgeFactor}`
  if (!answer('datasets').datasets.some((dataset) => dataset.name === name)) {
    const size =
      model === 'rmat'
        ? ['--scale', scale, '--edge-factor', edgeFactor]
        : ['--vertices', 2 ** scale, '--degree', 2 * edgeFactor]
    const startMs = performance.now()
    const { dataset } = answer('generate', model, ...size.map(String), '--name', name)
    const seconds = (performance.now() - startMs) / 1000
    console.log(`${name}: ${dataset.edges} edges generated in ${seconds.toFixed(1)} s`)
  }
  const startMs = performance.now()
  const run = answer('run', name, ...runOptions, '--memory', values.memory, '--verify')
  console.log(
    `${name}: first run and verification ${((performance.now() - startMs) / 1000).toFixed(1)} s; view built in ` +
      `${(run.time.prepareMs / 1000).toFixed(1)} s; verified ${run.verified}`,
  )
  return { name, hash: run.result.hash, bytes: run.plan.viewBytes }
}

const runOptions = ['--algorithm', 'mg-mis', '--devices', device, '--priority', priority]

function viewFile(bytes) {
  const folders = join(values.library, 'datasets')
  const paths = readdirSync(folders).map((folder) => join(folders, folder, 'views', `oriented-${priority}-0.view`))
  return paths.find((path) => statSync(path, { throwIfNoEntry: false })?.size === bytes)
}

/** Words that a run reads of a view before the computation begins: tail offsets, and the bits of the front. */
function tables(path) {
  const file = openSync(path, 'r')
  const header = Buffer.alloc(4096)
  readSync(file, header, 0, header.length, 0)
  closeSync(file)
  const { tailOffsets, frontBits } = JSON.parse(header.toString())
  return (tailOffsets.bytes + frontBits.bytes) / 4
}

console.log(
  '| graph | memory | view, GB | compute, s | reads, s | total, s | of the view | of the entries | at work, MB/s | in all, MB/s | disk alone, MB/s | at work / alone | as much alone, MB/s | at work / as much alone |',
)
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
for (const model of values.models.split(',')) {
  const { name, hash, bytes } = prepare(model)
  const view = viewFile(bytes)
  for (const memory of [values.memory, values.tight]) {
    const rows = []
    for (let turn = 0; turn < Number(values.repeats); turn++) {
      const alone = sequentialRate(view)
      dropFromCache(view)
      const { result, time, bytes: moved, counters } = answer('run', name, ...runOptions, '--memory', memory)
      if (result.hash !== hash) throw new Error(`${name} with ${memory}: ${result.hash} in place of ${hash}`)
      // In all: from the start of the run, with the device opened and the result written. At work: from the first batch to the set; the
      // tail offsets, which are read before that, do not count there.
      const before = 4 * tables(view)
      const inAll = moved.read / (time.totalMs - time.prepareMs)
      const atWork = moved.read - before
      const asMuch = sequentialRate(view, atWork)
      rows.push({ alone, asMuch, time, counters, inAll, rate: atWork / (time.readMs + time.computeMs) })
    }
    const of = (figure) => median(rows.map(figure))
    const seconds = (figure) => (of(({ time }) => time[figure]) / 1000).toFixed(2)
    const [rate, inAll, alone, asMuch] = ['rate', 'inAll', 'alone', 'asMuch'].map((figure) => of((row) => row[figure]))
    const { viewPercent, entriesPercent } = rows[0].counters
    console.log(
      `| ${name} | ${memory} | ${(bytes / 1e9).toFixed(2)} | ${seconds('computeMs')} | ${seconds('readMs')} | ${seconds('totalMs')} | ` +
        `${viewPercent.toFixed(1)} % | ${entriesPercent.toFixed(1)} % | ${Math.round(rate / 1000)} | ${Math.round(inAll / 1000)} | ${Math.round(alone / 1000)} | ${(rate / alone).toFixed(2)} | ` +
        `${Math.round(asMuch / 1000)} | ${(rate / asMuch).toFixed(2)} |`,
    )
  }
  if (values.drop) answer('datasets', 'remove', name)
}
