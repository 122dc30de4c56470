import { EdgeHash } from '../../../../kernels/parts/edge-hash.ts'
import type { JobContext } from '../../../base/job.ts'
import type { RunArgs } from '../../../contract/jobs.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { eachList } from '../../../graph/scan-lists.ts'
import { type Checked, type Witness, witnessAt } from '../../../verify/witness.ts'

/** What the energy is of; couplings are whole multiples of the quantum. */
export interface SpinClaim {
  readonly model: NonNullable<RunArgs['model']>
  readonly disorder: number
  readonly weighted: boolean
  /** Taken from every weight. */
  readonly zero: number
  readonly quantum: number
}

/** Adds the energy up edge by edge, and looks for a vertex whose flip would lower it. */
export function checkSpins(graph: GaloisGr, spins: Uint32Array, claim: SpinClaim, job: JobContext): Checked {
  const { model, weighted, zero, quantum } = claim
  const isSet = model === 'independent-set'
  const hash = new EdgeHash(claim.disorder)
  let [energy, cut, up] = [0, 0, 0]
  let witness: Witness | undefined
  const look: Parameters<typeof eachList>[3] = (v, start, end, targets, weights) => {
    const own = spins[v]!
    if (own > 1) witness ??= witnessAt([v], (a) => `the spin of ${a} is ${own}, and not 0 or 1`)
    up += own
    if (isSet) energy -= own
    // What a flip would gain.
    let gain = isSet ? 1 - 2 * own : 0
    for (let at = start; at < end; at++) {
      const u = targets[at]!
      const other = spins[u]!
      let size = 1
      if (isSet) {
        if (u < v) energy += 2 * own * other
        gain += (own === 1 ? 2 : -2) * other
      } else {
        let coupling = model === 'max-cut' ? -1 : 1
        if (weighted) coupling *= Math.round((weights[at]! - zero) / quantum)
        if (model === 'bimodal') {
          hash.of(u, v)
          coupling = hash.high >>> 31 === 0 ? 1 : -1
        }
        const pull = coupling * (own === other ? 1 : -1)
        size = model === 'max-cut' ? -coupling : Math.abs(coupling)
        if (u < v) energy -= pull
        gain -= pull
      }
      if (u < v && own !== other) cut += size
    }
    if (gain > 0) witness ??= witnessAt([v], (a) => `to flip the spin of ${a} lowers the energy`)
  }
  eachList(graph, job, 'verify', look, weighted)
  const [scale, n] = [isSet ? 1 : quantum, graph.vertices]
  const figures = { energy: energy * scale, perVertex: n === 0 ? 0 : (energy * scale) / n, cut: cut * scale, up }
  return { witness, figures }
}
