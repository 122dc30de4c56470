import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fixturePath } from './fixtures.ts'

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

/** Beside the repository, on some machines: those that are too large to be kept in it. */
const SHARED = resolve(import.meta.dirname, '../../../shared/graphs')
const FACTS = 'graphs/facts.json'

/** The file of a real graph with known answers; null for a large one that this machine lacks. */
function placeOf(name: string): string | null {
  return [fixturePath(`graphs/${name}.gz`), join(SHARED, name)].find((path) => existsSync(path)) ?? null
}

/** The same, of one that is there. */
export function graphFile(name: string): string {
  const path = placeOf(name)
  if (path === null) throw new Error(`there is no graph ${name}`)
  return path
}

/** The graphs that are there, of so many. */
export const graphsHere = (names: readonly string[]): string[] => names.filter((name) => placeOf(name) !== null)

/** The graphs that are there, with what is known of each. */
export function knownGraphs(): [string, GraphFacts][] {
  const all = JSON.parse(readFileSync(fixturePath(FACTS), 'utf8')) as Record<string, GraphFacts>
  const absent = Object.keys(all).filter((name) => placeOf(name) === null)
  if (absent.length > 0) console.warn(`not tested, as they are not at ${SHARED}: ${absent.join(', ')}`)
  return Object.entries(all).filter(([name]) => !absent.includes(name))
}
