import type { AlgorithmName } from '../../workers/contract/catalogue.ts'

/** What `--algorithm auto` looks at: options as they were given, absent where they were not. */
export interface Asked {
  readonly devices: string
  readonly partitions?: number | undefined
  readonly priority?: string | undefined
  readonly seeds?: unknown
  readonly counting?: unknown
  readonly exchange?: unknown
  readonly bufferWords?: unknown
}

export interface Chosen {
  readonly algorithm: AlgorithmName
  /** One sentence for the user. */
  readonly why: string
}

/**
 * Picks between the algorithms that make sets, by what was measured (docs/results.md): on one device ECL-MIS is the fastest; MG-MIS pays
 * where several devices share a graph that one cannot hold, and uses one of them otherwise; TC-MIS is for the sets of several seeds at once.
 */
export function chooseAlgorithm(asked: Asked): Chosen {
  const isTiled = /^h[123]$/.test(asked.priority ?? '') || [asked.seeds, asked.counting].some(isGiven)
  if (isTiled)
    return {
      algorithm: 'tc-mis',
      why: 'tc-mis, as its options were given: 16 seeds took it 4 to 13 times as long as one.',
    }
  const isShared =
    asked.devices.includes(',') || (asked.partitions ?? 1) > 1 || [asked.exchange, asked.bufferWords].some(isGiven)
  if (isShared)
    return {
      algorithm: 'mg-mis',
      why: 'mg-mis, as several workers are to share the graph; where one device holds it, that one computes alone.',
    }
  return {
    algorithm: 'ecl-mis',
    why: 'ecl-mis, as it was the fastest on one device for every graph measured but two small ones.',
  }
}

const isGiven = (option: unknown): boolean => option !== undefined
