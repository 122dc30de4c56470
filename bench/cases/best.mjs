// How large sets become in a given time: fast, swapped, better and best, with the bound; peers' figures are compared with these.
import { listed } from '../program.mjs'

export function* measure(program, { graphs, radii, seconds }) {
  const cities = listed(radii).map((km) => {
    const name = `cities-${km}km`
    if (program.facts(name) === undefined) program.answer('sample', 'cities', '--radius-km', km, '--name', name)
    return name
  })
  for (const graph of [...listed(graphs).map((name) => program.dataset(name)), ...cities]) {
    const set = (...words) => program.answer('run', graph, '--devices', 'cpu:0', '--verify', ...words)
    const swapped = set('--quality', 'swap:3')
    const better = set('--quality', 'better')
    const row = { graph, fast: set().result.size, 'swap:3': swapped.result.size, better: better.result.size }
    let bound = better.upperBound
    for (const limit of listed(seconds)) {
      const best = set('--quality', 'best', '--time', `${limit}s`)
      row[`best, ${limit} s`] = best.result.size
      bound = Math.min(bound, best.upperBound)
    }
    yield { ...row, bound }
  }
}
