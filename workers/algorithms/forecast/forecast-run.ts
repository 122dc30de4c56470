import { requireWeights } from '../../graph/weighed-lists.ts'
import { orderOf } from '../ld-gpu/edge-order-of-run.ts'
import type { Forecast, Question } from './forecast.ts'
import { attempt } from './forecast.ts'
import { forecastMatching } from './forecast-matching.ts'
import { forecastPaper, planKnownPaper } from './forecast-paper.ts'
import { forecastRescan, planKnownRescan } from './forecast-rescan.ts'
import { forecastSet } from './forecast-set.ts'
import { forecastTiles, planPreparedTiles } from './forecast-tiles.ts'
import { withGraph } from './subject.ts'

/** What every run looks at before it prepares anything: its refusals, and bounds of what it takes. */
export function forecastRun(question: Question): Forecast {
  const { asked } = question
  if (asked.algorithm === 'tc-mis') return forecastTiles(question)
  if (asked.algorithm !== 'ld-gpu') return isPaper(question) ? forecastPaper(question) : forecastSet(question)
  const found = asked.method === 'rescan' ? forecastRescan(question) : forecastMatching(question)
  return { ...found, refusal: weightsRefusal(question) ?? found.refusal }
}

/** What a run plans once all is prepared; undefined where something is not, or would take long to look at. */
export function planPreparedRun(question: Question): Forecast | undefined {
  const { asked } = question
  if (asked.algorithm === 'tc-mis') return planPreparedTiles(question)
  if (asked.algorithm === 'ld-gpu') return asked.method === 'rescan' ? planKnownRescan(question) : undefined
  return isPaper(question) ? planKnownPaper(question) : undefined
}

const isPaper = ({ asked }: Question): boolean => asked.algorithm === 'mg-mis' && asked.exchange === 'paper'

function weightsRefusal({ asked, subject }: Question): Forecast['refusal'] {
  const { dataset, weighted } = subject
  if (weighted || orderOf(asked, subject).weights !== 'column' || dataset === undefined) return null
  return withGraph(dataset, (graph) => attempt(() => requireWeights(graph)).refusal)
}
