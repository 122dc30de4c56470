// Spins drawn a second on cubic lattices by number of devices, and how much of the exchange is beside the bulk; with --samples instead mean
// energies of so many samples of the couplings at a temperature.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listed } from '../program.mjs'
import { median } from '../table.mjs'

const spins = (...words) => ['--algorithm', 'spin-glass', '--method', 'heat-bath', ...words]

export async function* measure(program, { sides, devices, counts, sweeps, samples, temperature, repeats }) {
  for (const side of listed(sides)) {
    const dataset = program.dataset(`torus${side}`)
    if (Number(samples) > 0) yield await energyRow(program, dataset, { devices, sweeps, samples, temperature })
    else yield* speedRows(program, dataset, { devices, counts, sweeps, temperature, repeats })
  }
}

async function* speedRows(program, dataset, { devices, counts, sweeps, temperature, repeats }) {
  const speedOf = (list) => list.map(({ document }) => document.counters.updatesPerSecond / 1e9)
  let least
  for (const count of listed(counts).map(Number)) {
    const chosen = listed(devices).slice(0, count).join(',')
    // Measured once, at the end.
    const words = spins('--devices', chosen, '--temperature', temperature, '--sweeps', sweeps, '--every', sweeps)
    const runs = []
    for (let i = 0; i < Number(repeats); i++) {
      runs.push(await program.timed(['run', dataset, ...words]))
      program.same(dataset, runs.at(-1).document.result.hash)
    }
    const speed = median(speedOf(runs))
    least ??= { count, speed }
    const trace = join(program.folder, 'trace.json')
    if (count > 1) program.answer('run', dataset, ...words, '--trace', trace)
    yield {
      lattice: dataset,
      devices: count,
      '10^9 spins drawn a second': speedOf(runs),
      efficiency: (speed * least.count) / (least.speed * count),
      'whole, s': runs.map(({ seconds }) => seconds),
      'kernels, ms': runs.map(({ document }) => document.time.kernelMs),
      'exchange, ms': runs.map(({ document }) => document.time.exchangeMs),
      'exchanged, MB': runs[0].document.bytes.exchanged / 1e6,
      ...(count > 1 ? { 'of the exchange beside the bulk, %': besideBulk(trace) } : {}),
    }
  }
}

/** The part of the time of exchanges between devices in which the same device has a bulk to draw. */
function besideBulk(file) {
  const { traceEvents } = JSON.parse(readFileSync(file, 'utf8'))
  const spans = traceEvents.filter(({ ph }) => ph === 'X').sort((a, b) => a.ts - b.ts)
  let [all, beside] = [0, 0]
  for (const { pid, cat, ts, dur } of spans) {
    if (!['copy out', 'wait', 'exchange'].includes(cat)) continue
    all += dur
    let end = ts
    for (const bulk of spans) {
      if (bulk.pid !== pid || bulk.name !== 'bulk until done') continue
      const [from, until] = [Math.max(end, bulk.ts), Math.min(ts + dur, bulk.ts + bulk.dur)]
      if (until > from) beside += until - from
      end = Math.max(end, until)
    }
  }
  return (100 * beside) / all
}

/** The mean over samples of the couplings, its error from their spread. */
async function energyRow(program, dataset, { devices, sweeps, samples, temperature }) {
  const energies = []
  for (let disorder = 0; disorder < Number(samples); disorder++) {
    const words = spins('--temperature', temperature, '--sweeps', sweeps, '--disorder', String(disorder))
    const { counters } = program.answer('run', dataset, ...words, '--devices', listed(devices)[0])
    energies.push(counters.meanEnergy)
  }
  const mean = energies.reduce((sum, energy) => sum + energy, 0) / energies.length
  const squares = energies.reduce((sum, energy) => sum + (energy - mean) ** 2, 0)
  const error = Math.sqrt(squares / Math.max(1, energies.length - 1) / energies.length)
  return { lattice: dataset, samples, temperature, 'energy a spin': mean.toFixed(5), error: error.toFixed(5) }
}
