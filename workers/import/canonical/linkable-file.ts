import { type CsrLayout, endOf, exactTargets, firstListPast, type Section } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { Failure } from '../../base/failure.ts'
import { lowerBound } from '../../base/ranges.ts'
import type { GraphLink } from '../../graph/graph-file.ts'
import type { FormatName, ImportArgs, ImportReport } from '../../contract/jobs.ts'
import { choosesColumns } from '../formats/column-choice.ts'
import { csrLayout, detectBinary } from '../formats/detect.ts'
import { countedReport, reportSource } from '../import-report.ts'
import type { ReadFile } from '../read-graph-file.ts'
import { WeightPolicy } from '../policies.ts'
import { labelFacts } from '../write-dataset.ts'
import type { ArcReport } from './arc-check.ts'

const SAMPLED_ARCS = 16

/** Threads take time to start. */
export const COPIED_FROM_ARCS = 1 << 20

/** By a few arcs and their reverse arcs; true proves nothing. */
export function mayBeCanonical(file: StoredFile, layout: CsrLayout): boolean {
  const { vertices, arcs } = layout
  for (let i = 0; i < SAMPLED_ARCS; i++) {
    const arc = Math.floor(((i + 0.5) * arcs) / SAMPLED_ARCS)
    const u = firstListPast(file, layout, arc)
    const v = exactTargets(file, layout, arc, 1)?.[0] ?? vertices
    if (u >= vertices || v >= vertices || u === v || !holds(file, layout, v, u)) return false
  }
  return true
}

/** If it ascends. */
function holds(file: StoredFile, layout: CsrLayout, u: number, v: number): boolean {
  const end = endOf(file, layout, u)
  const start = u === 0 ? 0 : endOf(file, layout, u - 1)
  if (!(start >= 0 && start <= end && end <= layout.arcs)) return false
  const target = (arc: number): number => exactTargets(file, layout, arc, 1)?.[0] ?? Infinity
  const arc = lowerBound(start, end, (at) => target(at) < v)
  return arc < end && target(arc) === v
}

export interface LinkableFile {
  readonly format: FormatName
  readonly file: StoredFile
  readonly layout: CsrLayout
}

/** @returns null where it cannot be linked, or the import reports the fault */
export function openLinkable(args: ImportArgs): LinkableFile | null {
  if ((args.sources?.length ?? 0) > 0 || choosesColumns(args.table ?? {})) return null
  let file: StoredFile | undefined
  let opened: LinkableFile | null = null
  try {
    file = StoredFile.open(args.source)
    const format = file.isGzip ? undefined : (args.format ?? detectBinary(file)?.format)
    const found = format === undefined ? null : csrLayout(format, file)
    const layout = found && linkable(found, args)
    if (format !== undefined && layout && mayBeCanonical(file, layout)) opened = { format, file, layout }
    return opened
  } catch (error) {
    if (error instanceof Failure && error.code === 'input') return null
    throw error
  } finally {
    if (opened === null) file?.close()
  }
}

/** Aligned words of 32 bits, which pieces of a file do not cut; null for other layouts. */
function linkable(layout: CsrLayout, args: ImportArgs): CsrLayout | null {
  const { offsets, targets } = layout
  const weights = args.ignoreWeights === true ? null : layout.weights
  const isWord = ({ at, stride, kind }: Section): boolean => at % 4 === 0 && stride === 4 && /32$/.test(kind)
  const keeps = weights === null || (isWord(weights) && !policyOf(args).needsRange)
  return isWord(targets) && ((offsets.stride === 8 && offsets.at % 8 === 0) || isWord(offsets)) && keeps
    ? { ...layout, weights }
    : null
}

export const policyOf = ({ weightRule: rule = 'reject', invertWeights: invert }: ImportArgs): WeightPolicy =>
  new WeightPolicy({ rule, zeroMeansPattern: false, invert })

/** @param read without weights where they are left out */
export function canonicalReport(
  args: ImportArgs,
  { layout, ...read }: Pick<ReadFile, 'format' | 'source' | 'sha256'> & { readonly layout: CsrLayout },
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
  return countedReport(
    { ...reportSource(args, { ...read, ...outcome, warnings, weighted, policy: policyOf(args) }), startedMs },
    {
      vertices,
      arcs,
      loopsRemoved: 0,
      duplicatesMerged: 0,
      reverseArcsAdded: 0,
      isolatedVertices: checked.isolated,
      labels: labelFacts({ kind: 'dense', base: 0 }, vertices),
      weights: weighted ? { smallest: checked.smallestWeight, largest: checked.largestWeight } : null,
    },
  )
}

export function storedLayout({ vertices, arcs, offsets, targets, weights }: CsrLayout): GraphLink['layout'] {
  return {
    vertices,
    arcs,
    offsets: { at: offsets.at, bytesEach: offsets.stride === 8 ? 8 : 4, leadingZero: offsets.leading },
    targetsAt: targets.at,
    weights: weights === null ? null : { at: weights.at, kind: weights.kind === 'f32' ? 'f32' : 'i32' },
  }
}
