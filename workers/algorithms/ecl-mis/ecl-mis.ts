import { type OnePass, setInOnePass } from '../one-pass-set.ts'
import { computeSet } from './compute-set.ts'
import { setKernels } from './device-scan.ts'
import { type SetPlan, planSet } from './plan-set.ts'

/**
 * ECL-MIS (Burtscher, Devale, Azimi, Jaiganesh, Powers, TOPC 2018): compute-set.ts is the algorithm. Read that first, then
 * residual/finish-set.ts, then processors.ts or device-scan.ts. mg-mis/mg-mis.ts is the same with several devices.
 */
export const onePass: OnePass<SetPlan> = { kernels: setKernels, plan: planSet, compute: computeSet }

/** ECL-MIS (TOPC 2018) as an Algorithm: a maximal set in one pass over the lists. */
export const eclMis = setInOnePass(onePass)
