import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** What a correct program finds in a graph of the shared folder. */
export interface GraphFacts {
  readonly n: number
  readonly arcs: number
  readonly maxDegree: number
  readonly eclMis: { readonly size: number; readonly hash: string }
  /** Under ties by the larger id. */
  readonly ldGpu: Readonly<
    Record<'unit' | 'random3', { readonly pairs: number; readonly weight: number; readonly rounds: number }>
  >
}

/** Real graphs with known answers, beside the repository; absent on machines that have only the repository. */
export const sharedGraphs = resolve(import.meta.dirname, '../../../shared/graphs')
export const hasSharedGraphs = existsSync(join(sharedGraphs, 'facts.json'))

export function sharedFacts(): [string, GraphFacts][] {
  if (!hasSharedGraphs) {
    console.warn(`the graphs with known answers are not at ${sharedGraphs}: their tests are skipped`)
    return []
  }
  return Object.entries(
    JSON.parse(readFileSync(join(sharedGraphs, 'facts.json'), 'utf8')) as Record<string, GraphFacts>,
  )
}
