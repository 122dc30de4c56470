// Spins drawn a second on cubic lattices by number of devices, and what of the exchange is not hidden behind the bulk; with --samples also mean
// energies of so many samples of the couplings at a temperature.
import { listed } from '../program.mjs'
import { median } from '../table.mjs'

const spins = (...words) => ['--algorithm', 'spin-glass', '--method', 'heat-bath', ...words]

export async function measure(program, { sides, devices, counts, sweeps, samples, temperature, repeats }) {
  const rows = []
  for (const side of listed(sides)) {
    const dataset = program.dataset(`torus${side}`)
    if (Number(samples) > 0) rows.push(await energyRow(program, dataset, { devices, sweeps, samples, temperature }))
    else rows.push(...(await speedRows(program, dataset, { devices, counts, sweeps, temperature, repeats })))
  }
  return rows
}

async function speedRows(program, dataset, { devices, counts, sweeps, temperature, repeats }) {
  const runs = new Map(listed(counts).map((count) => [Number(count), []]))
  for (let i = 0; i < Number(repeats); i++)
    for (const [count, list] of runs) {
      const chosen = listed(devices).slice(0, count).join(',')
      // Measured once, at the end.
      const words = spins('--devices', chosen, '--temperature', temperature, '--sweeps', sweeps, '--every', sweeps)
      const run = await program.timed(['run', dataset, ...words])
      program.same(dataset, run.document.result.hash)
      list.push(run)
    }
  const speedOf = (list) => list.map(({ document }) => document.counters.updatesPerSecond / 1e9)
  const [[fewest, least]] = runs
  return [...runs].map(([count, list]) => ({
    lattice: dataset,
    devices: count,
    '10^9 spins drawn a second': speedOf(list),
    efficiency: (median(speedOf(list)) * fewest) / (median(speedOf(least)) * count),
    'whole, s': list.map(({ seconds }) => seconds),
    'kernels, ms': list.map(({ document }) => document.time.kernelMs),
    'exchange, ms': list.map(({ document }) => document.time.exchangeMs),
    'exchanged, MB': list[0].document.bytes.exchanged / 1e6,
  }))
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
