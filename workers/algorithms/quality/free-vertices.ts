import { outsideIn } from '../../../kernels/annealing/anneal-propose.ts'
import { lowestBit, sharedWords } from '../../base/words.ts'
import { WorkBoard, followBoard, takeChunk } from '../../threads/work-board.ts'
import { threadsOf } from '../plan-request.ts'
import { LARGE, isFree, joinFree } from './annealing.ts'
import type { Adjacency } from './in-memory-graph.ts'

/** Words of bits that a thread looks at at a time. */
const CHUNK_WORDS = 1 << 10

/** What threads share that look for free vertices. */
interface FreeTask {
  readonly adjacency: Adjacency
  readonly members: Uint32Array
  /** The free vertices, to be filled; a bit each. */
  readonly free: Uint32Array
  readonly board: Int32Array
}

/** A thread's part: takes chunks until none is left. */
function takePart({ adjacency, members, free, board }: FreeTask): void {
  const next = (): number => CHUNK_WORDS * takeChunk(board)
  for (let first = next(); first < members.length; first = next())
    for (let w = first; w < Math.min(members.length, first + CHUNK_WORDS); w++)
      for (let open = outsideIn(members, w, adjacency.vertices); open !== 0; open &= open - 1)
        if (isFree(adjacency, members, (w << 5) | lowestBit(open))) free[w]! |= open & -open
}

/** Takes part in a thread of its own. */
export function freeTask(task: FreeTask): Promise<void> {
  followBoard(task.board, () => takePart(task))
  return Promise.resolve()
}

/** What {@link joinFree} does; all threads look for the free vertices of a large graph, few of which are. @returns how many join */
export function joinAllFree(adjacency: Adjacency, members: Uint32Array): number {
  if (adjacency.vertices < LARGE || !(adjacency.targets.buffer instanceof SharedArrayBuffer))
    return joinFree(adjacency, members)
  const [shared, free] = [sharedWords(members.length), sharedWords(members.length)]
  shared.set(members)
  const board = new WorkBoard()
  const task = { adjacency, members: shared, free, board: board.board }
  for (let i = 1; i < threadsOf({ arcs: adjacency.targets.length }, 1); i++) board.start('find-free', task)
  try {
    board.turn(() => takePart(task))
  } finally {
    board.close()
  }
  return joinFree(adjacency, members, free)
}
