import type { AlgorithmName } from '../contract/jobs.ts'
import type { Algorithm } from './algorithm.ts'
import { eclMis } from './ecl-mis/ecl-mis.ts'

/** What computes each algorithm of the catalogue; loaded when it is asked for, but for the one that people ask for most. */
const algorithms: Readonly<Record<AlgorithmName, () => Algorithm | Promise<Algorithm>>> = {
  'ecl-mis': () => eclMis,
  'mg-mis': async () => (await import('./mg-mis/mg-mis.ts')).mgMis,
  'tc-mis': async () => (await import('./tc-mis/tc-mis.ts')).tcMis,
  'ld-gpu': async () => (await import('./ld-gpu/ld-gpu.ts')).ldGpu,
}

export const loadAlgorithm = async (name: AlgorithmName): Promise<Algorithm> => algorithms[name]()
