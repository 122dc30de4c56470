import { eclMis } from './catalogue/ecl-mis.ts'
import type { AlgorithmEntry } from './catalogue/entry.ts'
import { ldGpu } from './catalogue/ld-gpu.ts'
import { luby } from './catalogue/luby.ts'
import { mgMis } from './catalogue/mg-mis.ts'
import { tcMis } from './catalogue/tc-mis.ts'

export type * from './catalogue/entry.ts'
export * from './catalogue/options.ts'

const entries = [eclMis, mgMis, tcMis, luby, ldGpu] as const

/** Algorithms by their names. */
export type AlgorithmName = (typeof entries)[number]['name']
export const algorithmNames: readonly AlgorithmName[] = entries.map(({ name }) => name)

/**
 * The algorithms, the plainest first, as plain data: what each one is, what may be chosen, and what its counters mean. The
 * command line's options, the checks of the service and the pages of the window are made from these entries.
 */
export const algorithmEntries: readonly NamedEntry[] = entries

type NamedEntry = AlgorithmEntry & { readonly name: AlgorithmName }

export function algorithmEntry(name: string): NamedEntry | undefined {
  return algorithmEntries.find((entry) => entry.name === name)
}
