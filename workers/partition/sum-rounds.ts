import type { RoundCount } from '../jobs.ts'

/**
 * The undecided vertices of all workers after each round that some of them counted. A worker counts no further once it has nothing
 * left in a pass, so each stands with its last figure until the next.
 * @param ofWorkers rounds of each worker, ascending
 */
export function sumRounds(ofWorkers: readonly (readonly RoundCount[])[]): readonly RoundCount[] {
  const rounds = new Set(ofWorkers.flatMap((counts) => counts.map(({ round }) => round)))
  const left = ofWorkers.map(() => 0)
  const at = ofWorkers.map(() => 0)
  return [...rounds]
    .sort((a, b) => a - b)
    .map((round) => {
      for (const [worker, counts] of ofWorkers.entries())
        for (let next = counts[at[worker]!]; next !== undefined && next.round <= round; next = counts[at[worker]!]) {
          left[worker] = next.undecided
          at[worker]!++
        }
      return { round, undecided: left.reduce((sum, each) => sum + each, 0) }
    })
}
