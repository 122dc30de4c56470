// How far the results of several seeds differ: a run of all, and their comparison.
export function* measure(program, { seeds, radius }) {
  const name = `cities-${radius}km`
  if (program.facts(name) === undefined) program.answer('sample', 'cities', '--radius-km', radius, '--name', name)
  program.answer('run', name, '--devices', 'cpu:0', '--seeds', seeds, '--keep-runs', 'all', '--verify')
  for (const { seed, size, upperBound, hash } of program.answer('compare', '--dataset', name).runs)
    yield { seed, size, share: (100 * size) / upperBound, hash }
}
