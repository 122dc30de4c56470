import { Failure } from '../../failure.ts'
import type { GraphLink } from '../../graph/graph-link.ts'
import { quietJob } from '../../job.ts'
import type { ImportArgs } from '../../jobs.ts'
import type { CsrLayout } from '../formats/csr-layout.ts'
import { type OpenedFile, openWholeFile } from '../formats/open-whole-file.ts'
import { csrLayout } from '../formats/recognise.ts'
import { severalFiles } from '../read-graph-file.ts'
import { WeightPolicy } from '../weight-policy.ts'
import { mayBeCanonical } from './may-be-canonical.ts'

/** A file whose graph readers could take as it is, if it is canonical. */
export interface LinkableFile {
  readonly opened: OpenedFile
  readonly layout: CsrLayout
}

/**
 * Opens a binary adjacency file that may stay where it is; whoever asked closes it.
 * @returns null where it is of another format, packed, of ids of 64 bits, at a look not canonical, or its weights are to be changed
 */
export async function openLinkable(args: ImportArgs): Promise<LinkableFile | null> {
  if (severalFiles(args)) return null
  const opened = await openBinary(args)
  if (opened === null) return null
  try {
    const found = csrLayout(opened.format, opened.file)
    const layout = found && linkable(found, args)
    if (layout !== null && opened.file === opened.stored && mayBeCanonical(opened.file, layout))
      return { opened, layout }
  } catch (error) {
    opened.close()
    throw error
  }
  opened.close()
  return null
}

/** null for text and for what a reader of lines has to complain about. */
async function openBinary(args: ImportArgs): Promise<OpenedFile | null> {
  try {
    return await openWholeFile(args, quietJob)
  } catch (error) {
    if (error instanceof Failure && error.code === 'input') return null
    throw error
  }
}

/** The layout as a link reads it: words of 32 bits side by side. */
function linkable(layout: CsrLayout, args: ImportArgs): CsrLayout | null {
  const { offsets, targets } = layout
  const weights = args.ignoreWeights === true ? null : layout.weights
  const isWord = ({ stride, kind }: { stride: number; kind: string }): boolean => stride === 4 && /32$/.test(kind)
  const keeps = weights === null || (isWord(weights) && !policyOf(args).needsRange)
  return isWord(targets) && (offsets.stride === 8 || isWord(offsets)) && keeps ? { ...layout, weights } : null
}

export const policyOf = ({ weightRule: rule = 'reject', invertWeights: invert }: ImportArgs): WeightPolicy =>
  new WeightPolicy({ rule, zeroMeansPattern: false, invert })

/** A layout as a link keeps it. */
export function storedLayout({ vertices, arcs, offsets, targets, weights }: CsrLayout): GraphLink['layout'] {
  return {
    vertices,
    arcs,
    offsets: { at: offsets.at, bytesEach: offsets.stride === 8 ? 8 : 4, leadingZero: offsets.leading },
    targetsAt: targets.at,
    weights: weights === null ? null : { at: weights.at, kind: weights.kind === 'f32' ? 'f32' : 'i32' },
  }
}
