import type { AlgorithmName } from '../../workers/contract/catalogue.ts'

/** Options as given. */
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
  readonly why: string
}

/**
 * By what was measured (docs/results.md): one device: ECL-MIS; a graph that no single device holds: MG-MIS; several
 * seeds at once: TC-MIS.
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
