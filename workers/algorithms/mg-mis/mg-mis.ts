import type { Algorithm, AnswerRecord } from '../algorithm.ts'
import { computeInOnePass, eclMis } from '../ecl-mis/ecl-mis.ts'
import { percent } from '../worker-report.ts'
import type { PlanRequest } from '../estimate.ts'
import { estimatePaper, planPaperExactly } from '../reproductions/mg-mis/plan-paper.ts'
import { computeByPaper } from '../reproductions/mg-mis/compute-by-paper.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'

const isPaper = ({ exchange }: PlanRequest['options']): boolean => exchange === 'paper'

/** MG-MIS (ICS 2025) under either exchange, with the set of ECL-MIS. */
export const mgMis: Algorithm = {
  ...eclMis,
  plan: (request) => (isPaper(request.options) ? estimatePaper(request) : eclMis.plan(request)),
  planExactly: (request) => (isPaper(request.options) ? planPaperExactly(request) : undefined),
  kernels: (args, graph) => (isPaper(args) ? [] : eclMis.kernels(args, graph)),
  compute: (run, job) => (isPaper(run.args) ? computeByPaper(run, job) : computeInOnePass(run, REPLICATED, job)),
}

const REPLICATED = {
  options: { exchange: 'replicated' },
  counters: ({ exchanged }: AnswerRecord['bytes'], { vertices, arcs }: GaloisGr) => ({
    movedPercent: percent(exchanged, 8 * vertices + 4 * arcs),
  }),
}
