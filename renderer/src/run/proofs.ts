import { keepsToLists, optionsOf, type RunRecord } from '../../../electron/contract/run.ts'
import { exactly, percent } from '../quantity.ts'
import { words } from '../words/words.ts'

const text = words.run.verdicts

/** What the figures of values prove, in sentences: that nothing is better, or what it means. */
export function valueVerdicts(
  { dataset: { vertices }, request, outcome }: Pick<RunRecord, 'dataset' | 'request' | 'outcome'>,
  verified: Readonly<Record<string, number>> = {},
): readonly string[] {
  const { result, options } = outcome
  if (result.kind === 'matching') return pairVerdicts(outcome)
  if (result.kind !== 'values') return []
  const { colours, clique, degeneracy, components, largest, reached, diameter, diameterBound } = {
    ...verified,
    ...result.figures,
  } as Readonly<Partial<Record<string, number>>>
  const root = options['root'] ?? ('root' in optionsOf(request) ? (optionsOf(request) as { root?: string }).root : null)
  const said: readonly (readonly [is: boolean, sentence: string])[] = [
    [colours !== undefined && colours === clique, text.fewestColours(exactly(clique ?? 0))],
    [
      colours !== undefined && clique !== undefined && clique > 1 && clique < colours,
      text.colours(exactly(clique ?? 0), exactly(clique ?? 0)),
    ],
    [degeneracy !== undefined, text.degeneracy(exactly((degeneracy ?? 0) + 1))],
    [components === 1, text.connected],
    [components !== undefined && components > 1, text.apart(percent((largest ?? 0) / vertices))],
    [reached === vertices && root != null, text.reachedAll(String(root))],
    [
      reached !== undefined && reached < vertices && root != null,
      text.reached(percent((reached ?? 0) / vertices), String(root)),
    ],
    [diameter !== undefined && diameter === diameterBound, text.diameter(exactly(diameter ?? 0))],
  ]
  return said.flatMap(([is, sentence]) => (is ? [sentence] : []))
}

/** What a search for most pairs proves. */
function pairVerdicts({ result, options, counters }: RunRecord['outcome']): readonly string[] {
  const { pairsBound, weightBound } = counters
  if (pairsBound === undefined || result.kind !== 'matching') return []
  if (pairsBound > result.pairs) return [text.pairsBound(exactly(pairsBound))]
  const isCheapest = options['objective'] === 'cost'
  const isBest = isCheapest ? result.weight <= (weightBound ?? -1) : result.weight >= (weightBound ?? Infinity)
  return [text.mostPairs, ...(isBest ? [isCheapest ? text.cheapest : text.heaviest] : [])]
}

/** The vertices that a set leaves, which are a vertex cover, with the bound of the set turned round; null where there is none to speak of. */
export function coverOf(
  { dataset: { vertices }, request, outcome }: Pick<RunRecord, 'dataset' | 'request' | 'outcome'>,
  upperBound: number | null,
): { readonly size: number; readonly least: number | null } | null {
  const { result } = outcome
  const asked = optionsOf(request) as Readonly<Record<string, unknown>>
  // What is further apart than neighbours leaves more than it has to.
  if (result.kind !== 'independent-set' || result.size === vertices || asked['distance'] !== undefined) return null
  // A bound of what is left once some are excluded, or of a weight, is none of the whole graph's sets.
  const bound = keepsToLists(request) || result.weight !== undefined ? null : upperBound
  return { size: vertices - result.size, least: bound === null ? null : vertices - bound }
}
