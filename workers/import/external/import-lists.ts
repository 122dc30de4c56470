import type { ImportArgs } from '../../contract/jobs.ts'
import { memoryToCollect } from '../entry-collector.ts'
import { type CsrLayout, endsOf, numbers } from '../formats/csr.ts'
import { type OpenedFile, storedAs } from '../formats/whole-file.ts'
import type { StoredFile } from '../formats/stored-file.ts'
import { reportSource } from '../import-report.ts'
import { Pace } from '../../threads/pace.ts'
import { WeightPolicy } from '../weight-policy.ts'
import type { FreshlyParsed } from './import-outside.ts'
import type { OutsideWork } from './outside-work.ts'

const STEP = 1 << 17

/**
 * Takes the arcs of a binary adjacency file as entries where they lie: all threads read them straight from the file, and nothing is
 * stored twice. Weights that a rule has to decide on are found later ({@link IrregularEntries}).
 * @returns null where a reader has to go through the file: it fits in memory, is compressed or in disorder, or its weights are changed
 * @throws Failure (storage) when the disk is too small; (cancelled)
 */
export async function listsAsEntries(
  args: ImportArgs,
  opened: OpenedFile,
  layout: CsrLayout,
  work: OutsideWork,
): Promise<FreshlyParsed | null> {
  const { stored, file, format } = opened
  const { vertices, arcs } = layout
  const weighted = layout.weights !== null && args.ignoreWeights !== true
  const rule = args.weightRule ?? 'reject'
  const policy = new WeightPolicy({ rule, zeroMeansPattern: false, invert: args.invertWeights })
  if (file !== stored || (weighted && policy.needsRange)) return null
  if (memoryToCollect(arcs, weighted) <= work.shares.inMemoryBytes) return null
  const pace = new Pace(work.job)
  if (!(await endsAscend(file, layout, pace))) return null
  work.openAll(arcs, weighted, vertices)
  const sha256 = await stored.sha256((done) => pace.rest({ phase: 'read', done, total: stored.bytes, unit: 'bytes' }))
  const space = { kind: 'counted', vertices, base: 0 } as const
  const from = reportSource(args, {
    vertices: space,
    warnings: layout.warnings,
    format: format.name,
    source: storedAs(opened),
    sha256,
    lines: 0,
    entries: arcs,
    weighted,
    policy,
    weightMap: null,
  })
  const elsewhere = { kind: 'lists', path: file.path, name: file.name, layout, weighted } as const
  const entries = { recordWords: weighted ? 3 : 2, segments: [], bitmapPath: null, bitmapWords: 0, direct: 0 } as const
  return { file: { entries: { ...entries, elsewhere }, space, weighted, from }, table: null }
}

/** Whether the ends of all lists ascend from 0 to the number of arcs. */
async function endsAscend(file: StoredFile, layout: CsrLayout, pace: Pace): Promise<boolean> {
  const { vertices, arcs, offsets } = layout
  if (offsets.leading && numbers(file, offsets, 0, 1)[0] !== 0) return false
  let before = 0
  for (let first = 0; first < vertices; first += STEP) {
    for (const end of endsOf(file, layout, first, Math.min(STEP, vertices - first))) {
      if (!(end >= before)) return false
      before = end
    }
    await pace.rest({ phase: 'read', done: Math.min(vertices, first + STEP), total: vertices, unit: 'vertices' })
  }
  return before === arcs
}
