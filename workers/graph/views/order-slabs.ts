import { GaloisGr } from '../galois-gr.ts'
import { ListSorter } from './list-sorter.ts'
import { SlabWriter } from './slab-writer.ts'
import type { Member } from './team.ts'
import type { OrderTask } from './view-task.ts'

/** Vertices between two looks at whether to stop. */
const STEP = 1 << 14

/** Takes pieces of the graph in its own order; orders the list of every vertex and writes it where it belongs in the view. */
export function orderSlabs(task: OrderTask, member: Member): void {
  const graph = GaloisGr.open(task.graph)
  const sorter = new ListSorter(task.order, task.degrees)
  const room = new Uint32Array(task.outputWords)
  let targets = new Uint32Array(0)
  try {
    for (let piece; (piece = member.claim(task.pieces.length - 1)) >= 0;) {
      const first = task.pieces[piece]!
      const offsets = graph.readOffsets(first, task.pieces[piece + 1]!)
      const base = offsets[0]!
      const arcs = offsets[offsets.length - 1]! - base
      if (arcs > targets.length) targets = new Uint32Array(arcs)
      graph.readTargets(base, base + arcs, targets)
      const weights = task.order.weights === 'column' ? graph.readWeights(base, base + arcs) : new Float32Array(0)
      const weightBits = new Uint32Array(weights.buffer, weights.byteOffset, weights.length)
      const writer = new SlabWriter(task.output, room, first, task.tailFirst[piece]!)
      for (let i = 0; i + 1 < offsets.length; i++) {
        if (i % STEP === 0) member.checkpoint()
        const count = offsets[i + 1]! - offsets[i]!
        writer.add(sorter.sort(first + i, targets, weightBits, offsets[i]! - base, count), 0, count)
      }
      writer.finish(piece)
    }
  } finally {
    graph.close()
  }
}
