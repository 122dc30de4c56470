import { eclMis } from './catalogue/ecl-mis.ts'
import type { AlgorithmEntry } from './catalogue/entry.ts'
import { ldGpu } from './catalogue/ld-gpu.ts'
import { mgMis } from './catalogue/mg-mis.ts'
import { tcMis } from './catalogue/tc-mis.ts'

export type * from './catalogue/entry.ts'
export * from './catalogue/options.ts'

/**
 * The registry of algorithms, the plainest first, as plain data: what each one is, what may be chosen, and what its counters mean. The
 * command line's options, the checks of the service and the pages of the window are made from these entries.
 */
export const algorithmEntries: readonly AlgorithmEntry[] = [eclMis, mgMis, tcMis, ldGpu]

export function algorithmEntry(name: string): AlgorithmEntry | undefined {
  return algorithmEntries.find((entry) => entry.name === name)
}
