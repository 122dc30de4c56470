import { type AlgorithmName, algorithmEntries, algorithmEntry } from '../contract/catalogue.ts'
import { usageFailure } from '../base/failure.ts'
import type { Algorithm } from './algorithm.ts'
import { eclMis } from './ecl-mis/ecl-mis.ts'

/** What computes each algorithm of the catalogue; loaded when it is asked for, but for the one that people ask for most. */
const algorithms: Readonly<Record<AlgorithmName, () => Algorithm | Promise<Algorithm>>> = {
  'ecl-mis': () => eclMis,
  'mg-mis': async () => (await import('./mg-mis/mg-mis.ts')).mgMis,
  'tc-mis': async () => (await import('./tc-mis/tc-mis.ts')).tcMis,
  luby: async () => (await import('./luby/luby.ts')).luby,
  bfs: async () => (await import('./others/bfs/bfs.ts')).bfs,
  'bfs-tree': async () => (await import('./others/bfs/bfs.ts')).bfsTree,
  'connected-components': async () =>
    (await import('./others/connected-components/connected-components.ts')).connectedComponents,
  'k-core': async () => (await import('./others/k-core/k-core.ts')).kCore,
  eccentricities: async () => (await import('./others/eccentricities/eccentricities.ts')).eccentricities,
  'spin-glass': async () => (await import('./others/spin-glass/spin-glass.ts')).spinGlass,
  'distance-mis': async () => (await import('./others/distance-mis/distance-mis.ts')).distanceMis,
  'mis2-aggregates': async () => (await import('./others/distance-mis/aggregates.ts')).aggregates,
  colouring: async () => (await import('./others/colouring/colouring.ts')).colouring,
  'b-suitor': async () => (await import('./others/b-matching/b-matching.ts')).bSuitor,
  'ld-gpu': async () => (await import('./ld-gpu/ld-gpu.ts')).ldGpu,
}

/** @throws Failure (usage) for a name that the catalogue does not have */
export async function loadAlgorithm(name: string): Promise<Algorithm> {
  const known = algorithmEntry(name)
  if (known !== undefined) return algorithms[known.name]()
  throw usageFailure(
    undefined,
    `this version has no algorithm "${name}"`,
    `Use one of ${algorithmEntries.map((entry) => entry.name).join(', ')}.`,
  )
}
