import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAlgorithm } from '../../../../workers/algorithms/run.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { randomStream } from '../../../support/graphs.ts'
import { failureOf, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 24)

type Edge = readonly [u: number, v: number, weight: number]

/** Weights of every kind: whole, decimals, and numbers that 32-bit floats do not hold. */
function drawnEdges(seed: number, vertices: number): Edge[] {
  const draw = randomStream(seed)
  const weight = (): number => {
    const whole = 1 + Math.floor(draw() * 9)
    return seed % 3 === 0 ? whole : seed % 3 === 1 ? whole / 10 : whole + Math.floor(draw() * 4) * 2 ** -40
  }
  const edges: Edge[] = []
  for (let u = 0; u < vertices; u++)
    for (let v = 0; v < u; v++) if (draw() < 0.2 + (seed % 5) / 10) edges.push([u, v, weight()])
  return edges
}

/** The most pairs of any matching, and the largest and the smallest weight of these. */
function bestOf(edges: readonly Edge[]): { pairs: number; heaviest: number; cheapest: number } {
  const best = { pairs: 0, heaviest: 0, cheapest: 0 }
  const used = new Set<number>()
  const visit = (at: number, pairs: number, weight: number): void => {
    if (pairs > best.pairs) Object.assign(best, { pairs, heaviest: weight, cheapest: weight })
    else if (pairs === best.pairs) {
      best.heaviest = Math.max(best.heaviest, weight)
      best.cheapest = Math.min(best.cheapest, weight)
    }
    for (let i = at; i < edges.length; i++) {
      const [u, v, own] = edges[i]!
      if (used.has(u) || used.has(v)) continue
      used.add(u).add(v)
      visit(i + 1, pairs + 1, weight + own)
      used.delete(u)
      used.delete(v)
    }
  }
  visit(0, 0, 0)
  return best
}

async function searched(seed: number, objective: 'pairs' | 'cost', steps = 100_000) {
  const edges = drawnEdges(seed, 4 + (seed % 6))
  if (edges.length === 0) return null
  const source = work.file('graph.csv', edges.map((edge) => edge.join(',')).join('\n'))
  const folder = work.newFolder()
  const { checksum } = await importGraph({ source, folder, table: { header: 'no' } }, quietJob)
  const args = { folder, checksum, device: 'cpu:0', seed: 1, verify: true, resultFile: join(folder, 'result') }
  const outcome = await runAlgorithm(
    { ...args, algorithm: 'ld-gpu', quality: 'best', searchSteps: steps, objective },
    quietJob,
  )
  rmSync(folder, { recursive: true })
  return { edges, outcome }
}

describe('most pairs first', () => {
  it.each(['pairs', 'cost'] as const)(
    `then by weight, as among all matchings of ${GRAPHS} random graphs: %s`,
    async (objective) => {
      let other = 0
      for (let seed = 0; seed < GRAPHS; seed++) {
        const found = await searched(seed, objective)
        if (found === null) continue
        const { edges, outcome } = found
        const best = bestOf(edges)
        const wanted = objective === 'pairs' ? best.heaviest : best.cheapest
        const { result, verification, counters } = outcome
        const what = `seed ${seed}`
        expect(verification, `seed ${seed}`).toMatchObject({ verified: true, size: best.pairs, upperBound: null })
        // Sums of decimals are rounded; all others are exact.
        const isWeight = (found: number | undefined): void =>
          seed % 3 === 1 ? expect(found, what).toBeCloseTo(wanted, 12) : expect(found, what).toBe(wanted)
        isWeight(verification!.weight)
        expect(result).toMatchObject({ kind: 'matching', pairs: best.pairs })
        expect(counters).toMatchObject({ pairsBound: best.pairs })
        isWeight(counters['weightBound'])
        if (best.heaviest - best.cheapest > 1e-9) other++
      }
      expect(other).toBeGreaterThan(GRAPHS / 3)
    },
  )

  it('a search that was ended gives a maximal matching, and bounds that hold', async () => {
    let ended = 0
    for (let seed = 0; seed < 12; seed++) {
      const found = await searched(seed, seed % 2 === 0 ? 'pairs' : 'cost', 1)
      if (found === null) continue
      const { verification, counters } = found.outcome
      expect(verification).toMatchObject({ verified: true })
      const { pairs } = bestOf(found.edges)
      expect(counters['pairsBound']).toBeGreaterThanOrEqual(pairs)
      if (verification!.size < pairs || counters['pairsBound']! > pairs) ended++
    }
    expect(ended).toBeGreaterThan(0)
  })

  it('is refused without a search', async () => {
    const folder = work.newFolder()
    const { checksum } = await importGraph({ source: work.file('graph.txt', '1 2 3\n2 3 4\n'), folder }, quietJob)
    const args = { folder, checksum, device: 'cpu:0', seed: 1, verify: true, resultFile: join(folder, 'result') }
    const failure = await failureOf(
      runAlgorithm({ ...args, algorithm: 'ld-gpu', quality: 'better', objective: 'pairs' }, quietJob),
    )
    expect(failure).toMatchObject({
      code: 'usage',
      fixes: [{ option: 'quality', to: 'best' }, { option: 'objective' }],
    })
  })
})
