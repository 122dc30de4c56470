import { GaloisGr } from '../galois-gr.ts'
import { LevelWriter } from './level-writer.ts'
import { ListSorter } from './list-sorter.ts'
import { SlabWriter } from './slab-writer.ts'
import type { ListWriter } from './slab-writer.ts'
import type { Member } from './team.ts'
import type { FirstTask, ListTask, OrderTask } from './view-task.ts'

/** Vertices between two looks at whether to stop. */
const STEP = 1 << 14

/** Neighbours of consecutive vertices: those of first + i are targets[offsets[i] - offsets[0], offsets[i + 1] - offsets[0]). */
interface PieceLists {
  readonly piece: number
  readonly first: number
  readonly offsets: Float64Array
  readonly targets: Uint32Array
  readonly weightBits: Uint32Array
}

/** Takes pieces of the graph in its own order; orders the list of every vertex and writes it where it belongs in the view. */
export function orderSlabs(task: OrderTask, member: Member): void {
  const sorter = new ListSorter(task.order, task.degrees)
  const room = new Uint32Array(task.outputWords)
  let tails = new Uint32Array(0)
  const writerOf = (piece: number, first: number): ListWriter => {
    const { levels, output, tailFirst } = task
    if (levels === undefined) return new SlabWriter(output, room, first, tailFirst[piece]!)
    const words = tailFirst[piece + 1]! - tailFirst[piece]!
    if (words > tails.length) tails = new Uint32Array(words)
    return new LevelWriter({ output, levels, piece, first, firstTail: tailFirst[piece]! }, room, tails)
  }
  forEachPiece(task, member, ({ piece, first, offsets, targets, weightBits }) => {
    const writer = writerOf(piece, first)
    for (let i = 0; i + 1 < offsets.length; i++) {
      if (i % STEP === 0) member.checkpoint()
      const count = offsets[i + 1]! - offsets[i]!
      writer.add(sorter.sort(first + i, targets, weightBits, offsets[i]! - offsets[0]!, count), 0, count)
    }
    writer.finish(piece)
  })
}

/** The first entry of every list, which is all that it takes to tell open lists from closed ones. */
export function findFirsts(task: FirstTask, member: Member): void {
  const sorter = new ListSorter(task.order, task.degrees)
  forEachPiece(task, member, ({ first, offsets, targets, weightBits }) => {
    for (let i = 0; i + 1 < offsets.length; i++) {
      if (i % STEP === 0) member.checkpoint()
      const count = offsets[i + 1]! - offsets[i]!
      task.firsts[first + i] = sorter.first(first + i, targets, weightBits, offsets[i]! - offsets[0]!, count)
    }
  })
}

function forEachPiece(task: ListTask, member: Member, work: (lists: PieceLists) => void): void {
  const graph = GaloisGr.of(task.graph)
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
      work({ piece, first, offsets, targets, weightBits })
    }
  } finally {
    graph.close()
  }
}
