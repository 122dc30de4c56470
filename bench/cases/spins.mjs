// Spins drawn a second on cubic lattices by number of devices, and what of the exchange is not hidden behind the bulk; with --samples also mean
// energies of so many samples of the couplings at a temperature.
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
    yield {
      lattice: dataset,
      devices: count,
      '10^9 spins drawn a second': speedOf(runs),
      efficiency: (speed * least.count) / (least.speed * count),
      'whole, s': runs.map(({ seconds }) => seconds),
      'kernels, ms': runs.map(({ document }) => document.time.kernelMs),
      'exchange, ms': runs.map(({ document }) => document.time.exchangeMs),
      'exchanged, MB': runs[0].document.bytes.exchanged / 1e6,
    }
  }
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
