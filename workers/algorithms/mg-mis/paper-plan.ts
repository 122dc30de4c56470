import { Failure } from '../../failure.ts'
import type { Device } from '../../device/device.ts'
import { defaultBufferWords } from '../../exchange/paper-mail.ts'
import type { PaperShared } from '../../exchange/paper-mail.ts'
import { EqualRanges } from '../../exchange/paper-ranges.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { deviceBudget } from '../plan-run.ts'
import type { ArcBatch } from './arc-batches.ts'
import { arcBatchBytes, planArcBatches } from './arc-batches.ts'
import { paperWorkspaceBytes } from './paper-workspace.ts'

/** Send and receive buffers take at most this share of a device's memory where nobody says how long they are. */
const BUFFER_SHARE = 1 / 4
/** A question is two words. */
const LEAST_BUFFER_WORDS = 2

/** Words of a buffer: as asked for, else what suits the graph and the memory. @throws Failure (usage) when less than 2 */
export function bufferWordsOf(
  asked: number | undefined,
  vertices: number,
  workers: number,
  budgetBytes: number,
): number {
  if (asked === undefined) {
    const room = Math.floor((BUFFER_SHARE * budgetBytes) / (4 * 2 * workers))
    return Math.max(LEAST_BUFFER_WORDS, Math.min(defaultBufferWords(vertices, workers), room))
  }
  if (asked >= LEAST_BUFFER_WORDS && workers ** 2 * asked < 2 ** 30) return asked
  throw new Failure({
    code: 'usage',
    where: `--buffer-words ${asked}`,
    what: `${workers ** 2} buffers of ${asked} words cannot be used`,
    remedy: `Use ${LEAST_BUFFER_WORDS} words or more, and ${2 ** 30} in all at most.`,
  })
}

export interface PaperPartPlan {
  readonly batches: readonly ArcBatch[]
  /** Bytes on the device for arcs, and in all. */
  readonly arcBytes: number
  readonly deviceBytes: number
}

/** @throws Failure (usage) when what a worker keeps on its device leaves no room for arcs */
export function planPaperPart(
  device: Device,
  graph: GaloisGr,
  { workers, bufferWords }: PaperShared,
  worker: number,
  { batches: wanted, memoryBytes, ranked }: { batches: number; memoryBytes: number | undefined; ranked: boolean },
): PaperPartPlan {
  const { vertices } = graph
  const own = new EqualRanges(vertices, workers).of(worker)
  const budget = deviceBudget(device.facts, memoryBytes)
  const { maxBufferBytes } = device
  const whole = planArcBatches(graph, own, { batches: wanted, maxBufferBytes, maxBatchBytes: Infinity })
  const needs = (batches: readonly ArcBatch[]): number =>
    paperWorkspaceBytes({ places: own.places, workers, bufferWords, ranked, vertices, batches: batches.length })
  const allBytes = whole.reduce((sum, batch) => sum + arcBatchBytes(batch), 0)
  if (needs(whole) + allBytes <= budget)
    return { batches: whole, arcBytes: allBytes, deviceBytes: needs(whole) + allBytes }
  // Counters grow with the batches; half of the room for each batch leaves more than enough for them.
  const room = budget - needs(whole)
  if (room < arcBatchBytes({ count: 1, arcs: 1 }))
    throw new Failure({
      code: 'usage',
      where: device.facts.id,
      what: `states, priorities and buffers take ${needs(whole)} bytes of the device's memory, and ${budget} may be used`,
      remedy: 'Give it more --memory, smaller --buffer-words, or use --exchange replicated.',
    })
  const batches = planArcBatches(graph, own, { batches: wanted, maxBufferBytes, maxBatchBytes: Math.floor(room / 2) })
  return { batches, arcBytes: room, deviceBytes: budget }
}
