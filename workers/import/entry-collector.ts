import { totalmem } from 'node:os'
import { Failure } from '../base/failure.ts'
import { buildGraph, type BuiltGraph } from './build-graph.ts'
import type { EntryBlock, EntrySink } from '../graph/entries.ts'
import type { VertexSpace } from './graph-reader.ts'
import type { YieldScheduler } from '../threads/yield-scheduler.ts'
import type { DatasetLabels } from './write-labels.ts'
import { rankOccurringIds } from './vertex-ranks.ts'
import { mapWeights, type WeightMap } from './weight-policy.ts'
import type { MergeRule } from '../contract/jobs.ts'

export interface CollectedGraph {
  readonly graph: BuiltGraph
  readonly labels: DatasetLabels
}

const MEMORY_SHARE = 0.8
const MAX_ENTRIES = 2 ** 31

/** Keeps all entries in memory and makes the graph of them. */
export class EntryCollector implements EntrySink {
  entries = 0
  #blocks: EntryBlock[] = []
  #blockBytes = 0

  accept(block: EntryBlock): void {
    this.entries += block.count
    this.#blocks.push(block)
    this.#blockBytes += block.from.length * (block.weights === null ? 8 : 12)
    // Checked as it grows, so that a file that will not fit is refused before the machine swaps.
    requireMemory(this.#blockBytes + neededBytes(0, this.entries, block.weights !== null), this.entries)
  }

  /** Memory that the entries so far take, and at most will take when a graph of so many vertices is built. */
  neededFor(vertices: number): number {
    return this.#blockBytes + neededBytes(vertices, this.entries, true)
  }

  /** Hands all blocks over, in their order, and forgets them. */
  takeBlocks(): EntryBlock[] {
    const blocks = this.#blocks
    this.clear()
    return blocks
  }

  /** Forgets everything: the reader starts again. */
  clear(): void {
    this.entries = 0
    this.#blocks = []
    this.#blockBytes = 0
  }

  /** @throws Failure (engine) when the graph does not fit in memory. */
  async finish(
    space: VertexSpace,
    weighted: boolean,
    scheduler: YieldScheduler,
    { map = null, merge = 'max' }: { readonly map?: WeightMap | null; readonly merge?: MergeRule | undefined } = {},
  ): Promise<CollectedGraph> {
    const { vertices, labels } = await this.#vertices(space, scheduler)
    requireMemory(this.#blockBytes + neededBytes(vertices, this.entries, weighted), this.entries, vertices)
    const blocks = this.#blocks
    this.#blocks = []
    if (map !== null) for (const block of blocks) mapWeights(block, map)
    return { graph: await buildGraph(blocks, vertices, weighted, scheduler, merge), labels }
  }

  async #vertices(space: VertexSpace, scheduler: YieldScheduler): Promise<{ vertices: number; labels: DatasetLabels }> {
    switch (space.kind) {
      case 'counted':
        return { vertices: space.vertices, labels: { kind: 'dense', base: space.base } }
      case 'occurring': {
        const { vertices, base, values } = await rankOccurringIds(this.#blocks, scheduler)
        return { vertices, labels: values === null ? { kind: 'dense', base } : { kind: 'integer', values } }
      }
      case 'text': {
        const order = await space.table.ascending(scheduler)
        const ranks = new Uint32Array(order.length)
        for (let v = 0; v < order.length; v++) ranks[order[v]!] = v
        for (const { from, to, count } of this.#blocks) {
          for (let i = 0; i < count; i++) {
            from[i] = ranks[from[i]!]!
            to[i] = ranks[to[i]!]!
          }
          await scheduler.yield({ phase: 'build', done: 0, unit: 'arcs' })
        }
        return { vertices: order.length, labels: { kind: 'text', table: space.table, order } }
      }
    }
  }
}

/** Memory that so many entries would take in a collector, their blocks full, and at most will take when the graph is built. */
export function memoryToCollect(entries: number, weighted: boolean, vertices = 2 * entries): number {
  return (weighted ? 12 : 8) * entries + neededBytes(vertices, entries, true)
}

/** Bytes that building takes beside the blocks: three or four offset arrays, two lists of entries and one of arcs. */
function neededBytes(vertices: number, entries: number, weighted: boolean): number {
  return 16 * vertices + 4 * entries * (weighted ? 8 : 4)
}

function requireMemory(neededBytes: number, entries: number, vertices = 0): void {
  const availableBytes = MEMORY_SHARE * totalmem()
  if (neededBytes <= availableBytes && entries <= MAX_ENTRIES) return
  const gib = (bytes: number) => (bytes / 2 ** 30).toFixed(1)
  throw new Failure({
    code: 'engine',
    what:
      entries > MAX_ENTRIES
        ? `more than ${MAX_ENTRIES} entries do not fit in one graph in memory`
        : `building ${vertices === 0 ? '' : `${vertices} vertices and `}${entries} entries takes ${gib(neededBytes)} GiB of memory, and ${gib(availableBytes)} GiB may be used here`,
    remedy: 'Use a machine with more memory, or a part of the graph.',
  })
}
