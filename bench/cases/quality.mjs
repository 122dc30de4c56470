// Sets and matchings of the graphs with known answers: as computed, improved, and the best there is or its bound.
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from '../program.mjs'

const OPTIMA = 'test/fixtures/matching/random3-optima.json'
const isGraph = (name) => !/\.(md|json)$/.test(name)

export async function* measure(program, { folder, passes }) {
  const { optima } = JSON.parse(readFileSync(join(root, OPTIMA), 'utf8'))
  for (const name of readdirSync(resolve(root, folder)).filter(isGraph)) {
    const graph = name.replace(/\.gz$/, '')
    // Every optimum is of the pattern with random weights, whatever the file has.
    const { dataset } = program.answer('import', resolve(root, folder, name), '--ignore-weights', '--name', graph)
    const run = (...words) => program.answer('run', dataset.name, '--devices', 'cpu:0', '--verify', ...words)
    const set = (...words) => run('--algorithm', 'mg-mis', '--priority', 'degree', ...words)
    const matching = (...words) => run('--algorithm', 'ld-gpu', '--weights', 'random3', ...words).result.weight
    const [plain, swapped] = [set(), set('--quality', `swap:${passes}`)]
    yield {
      graph,
      vertices: dataset.vertices,
      set: plain.result.size,
      'set, swapped': swapped.result.size,
      bound: plain.upperBound,
      matching: matching(),
      'matching, augmented': matching('--quality', `augment:${passes}`),
      optimum: optima[graph] === undefined ? undefined : optima[graph] / 1000,
    }
  }
}
