import { counted } from '../../base/counted.ts'
import type { DatasetFacts, ImportArgs, ImportBalance, ImportReport, MergeRule } from '../../contract/jobs.ts'
import { listsBothDirections } from '../formats/registry.ts'
import { checkedTally } from '../reader/line-tally.ts'
import type { ReadFile } from './read-graph-file.ts'
import { policyOf, type WeightPolicy } from '../reader/policies.ts'
import type { WeightMap } from '../reader/weight-codes.ts'
import type { CountedGraph } from '../build/merged-arcs.ts'
import type { ArcReport } from '../build/arc-check.ts'
import type { CsrLayout } from '../formats/csr.ts'
import { labelFacts } from '../build/write-dataset.ts'

/** Known before the graph is built. */
export interface ReportSource
  extends
    Pick<ImportReport, 'source' | 'format'>,
    Omit<ReadFile, 'vertices' | 'named' | 'weighted' | 'format' | 'policy' | 'weightMap'> {
  readonly startedMs: number
  /** null for a graph that no file holds: of a model. */
  readonly policy: Pick<WeightPolicy, 'rule' | 'absolute' | 'dropped' | 'tiny' | 'digits'> | null
  readonly merge?: MergeRule | undefined
  readonly weightMap?: WeightMap | null
}

export function reportSource(
  args: ImportArgs,
  { vertices: _vertices, named: _named, weighted, policy, ...read }: ReadFile,
): Omit<ReportSource, 'startedMs'> {
  const { rule, absolute, dropped, tiny, digits } = policy
  const { source, sourceName = source, merge } = args
  const warnings = [...read.warnings, ...policy.warnings(), ...(weighted ? [] : withoutEffect(args))]
  return { ...read, policy: { rule, absolute, dropped, tiny, digits }, warnings, merge, source: sourceName }
}

/** What was asked for weights of a graph that has none. */
function withoutEffect({ merge, weightRule, invertWeights, ignoreWeights }: ImportArgs): string[] {
  if (ignoreWeights === true) return []
  const rules = [
    ...(merge === undefined || merge === 'count' ? [] : [`the rule ${merge} for repeated edges`]),
    ...(weightRule === undefined ? [] : [`the rule ${weightRule} for weights`]),
    ...(invertWeights === true ? ['inverting weights'] : []),
  ]
  const other = merge === undefined ? '' : '; the rule count makes the number of entries of an edge its weight'
  return rules.map((rule) => `there are no weights, so ${rule} has no effect${other}`)
}

/** @throws Error where entries were lost */
export function countedReport(from: ReportSource, graph: CountedGraph): ImportReport {
  const { duplicatesMerged, reverseArcsAdded, vertices, arcs, isolatedVertices, labels } = graph
  const loopsRemoved = graph.loopsRemoved - (from.declared ?? 0)
  if (arcs !== from.entries - loopsRemoved - duplicatesMerged + reverseArcsAdded)
    throw new Error(
      `entries were lost: ${from.entries} - ${loopsRemoved} - ${duplicatesMerged} + ${reverseArcsAdded} is not ${arcs}`,
    )
  const { source, format, compression, sourceBytes, sourceSha256, lines, entries, policy, sides, filtered, skipped } =
    from
  const warnings = [...from.warnings]
  if (listsBothDirections(format) && reverseArcsAdded > 0)
    warnings.push(
      `${counted(reverseArcsAdded, 'edge was in the line of one of its', 'edges were in the line of one of their')} ends only; the other direction was added`,
    )
  if (from.counted !== undefined && from.counted !== vertices)
    warnings.push(`the first line counts ${from.counted} vertices, and the graph has ${vertices}`)
  const made = policy && { rule: policy.rule, made: { absolute: policy.absolute, dropped: policy.dropped } }
  return {
    ...{ source, format, compression, sourceBytes, sourceSha256, lines, entries },
    ...{ loopsRemoved, duplicatesMerged, reverseArcsAdded, vertices, arcs, isolatedVertices, labels },
    ...(sides === undefined ? {} : { sides }),
    ...(filtered === undefined ? {} : { filtered }),
    ...(skipped === undefined ? {} : { skipped }),
    weights: graph.weights === null || made === null ? null : { ...made, ...graph.weights, ...weightChanges(from) },
    ...(policy === null ? {} : { balance: balanceOf(from, graph, loopsRemoved) }),
    warnings,
    elapsedMs: Math.round(performance.now() - from.startedMs),
  }
}

function weightChanges({ merge, weightMap }: ReportSource) {
  const map = weightMap ? { map: { scale: weightMap.scale, offset: weightMap.offset } } : {}
  return { ...(merge === undefined ? {} : { merge }), ...map }
}

/** @throws Error where lines were lost */
function balanceOf(from: ReportSource, graph: CountedGraph, loops: number): ImportBalance {
  const { entries: total, tally, policy, weightMap, ones = 0 } = from
  const { duplicatesMerged: sameDirection, reverseArcsAdded, arcs, weights, differing = 0 } = graph
  const edges = arcs / 2
  const isWeighted = weights !== null
  const { absolute = 0, dropped = 0, tiny = 0 } = policy ?? {}
  const rounded = policy?.digits.areKept === false ? policy.digits.lost : 0
  const shifted = weightMap && weightMap.shift !== 0 ? total : 0
  const inverted = weightMap?.scale === -1 ? total : 0
  return {
    lines: tally === undefined ? null : checkedTally(tally),
    entries: {
      ...{ total, loops, sameDirection, bothDirections: edges - reverseArcsAdded, edges },
      differing: isWeighted ? differing : null,
    },
    vertices: null,
    weights: isWeighted ? { absolute, dropped, shifted, inverted, ones, tiny, rounded } : null,
  }
}

/** The report of a file that is linked or copied. @param layout without weights if they are left out */
export function canonicalReport(
  args: ImportArgs,
  read: Pick<ReadFile, 'format' | 'compression' | 'sourceBytes' | 'sourceSha256'>,
  layout: CsrLayout,
  checked: ArcReport,
  startedMs: number,
): ImportReport {
  const { vertices, arcs, warnings } = layout
  const weighted = layout.weights !== null
  const outcome = {
    vertices: { kind: 'counted', vertices, base: 0 },
    lines: 0,
    entries: arcs,
    weightMap: null,
  } as const
  const from = reportSource(args, { ...read, ...outcome, warnings, weighted, policy: policyOf(args) })
  return countedReport(
    { ...from, startedMs },
    {
      ...{ vertices, arcs, loopsRemoved: 0, duplicatesMerged: 0, reverseArcsAdded: 0 },
      isolatedVertices: checked.isolated,
      labels: labelFacts({ kind: 'dense', base: 0 }, vertices),
      weights: weighted ? { smallest: checked.smallestWeight, largest: checked.largestWeight } : null,
    },
  )
}

export function factsOf(report: ImportReport, maxDegree: number, checksum: string, bytes: number): DatasetFacts {
  const { vertices, arcs, weights } = report
  const meanDegree = vertices === 0 ? 0 : arcs / vertices
  return { vertices, arcs, maxDegree, meanDegree, weighted: weights !== null, bytes, checksum, report }
}
