import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scanOnDevice } from '../../../../workers/algorithms/ecl-mis/device-scan.ts'
import { ByteStates } from '../../../../workers/graph/host-states.ts'
import { HostScan, shareHostMemory } from '../../../../workers/algorithms/ecl-mis/processors.ts'
import { planSet } from '../../../../workers/algorithms/ecl-mis/plan-set.ts'
import { allDone } from '../../../../workers/threads/thread-pool.ts'
import { CpuDevice, cpuFacts } from '../../../../workers/device/cpu-device.ts'
import { Failure, inputFailure } from '../../../../workers/base/failure.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import { GraphPieces, sliceOf } from '../../../../workers/graph/graph-pieces.ts'
import { rankVertices, setOrder } from '../../../../workers/graph/set-order.ts'
import { PieceScan, ScanBoard, threadPlaces } from '../../../../workers/streaming/piece-scan.ts'
import { IN, UNDECIDED } from '../../../../workers/graph/vertex-set.ts'
import { greedySet, randomSmallGraph, writeGraphFolder } from '../../../support/graphs.ts'

/** Batches of the device that pass before the processors beside it have indexed. */
const LATE = 4
const going = { aborted: false }

it('a device neither reads nor writes the states of processors before these have made them', async () => {
  const { graph } = randomSmallGraph(28, 2000)
  const { folder } = writeGraphFolder(graph)
  const file = GaloisGr.open(join(folder, 'graph.gr'))
  const size = { ...file.file, weighted: false, hasColumn: false }
  const plan = planSet(size, { batches: 12 }, [{ ...cpuFacts('cpu:0'), kind: 'gpu' }, cpuFacts('cpu:0')])
  const [device, processor] = plan.workers
  const pieces = new GraphPieces(file.file, file.checked.source, plan.unitsAPiece)
  const order = setOrder(
    { priority: 'degree', seed: 0, column: undefined, ...file.file },
    pieces.sampleDegrees().degrees,
  )
  const board = new ScanBoard()
  const { unitsAPiece } = plan
  const own = sliceOf(pieces, undefined)
  const setup = {
    graph: file.file,
    crcs: undefined,
    order,
    own,
    board: board.words,
    isBackward: false,
    unitsAPiece,
    traced: false,
  }
  const memory = shareHostMemory(graph.vertices, 'degree')
  board.begin(2)
  let batches = 0
  const afterBatch = (): Promise<void> => {
    if (batches < LATE) expect(memory.states.every((word) => word === 0)).toBe(true)
    if (++batches === LATE) {
      const task = { setup, memory, limits: processor!.limits, initial: undefined, place: threadPlaces(1)[0]! }
      new HostScan(task, new PieceScan(setup, file.checked.source, going)).index()
      board.arrive()
    }
    return Promise.resolve()
  }
  const shared = { kind: 'bytes', words: memory.states } as const
  const task = { setup, device: 'cpu:0', layout: device!.layout!, initial: undefined, shared, index: 0 }
  await scanOnDevice(task, new CpuDevice('cpu:0'), { signal: going, afterBatch })
  file.close()

  expect(batches).toBeGreaterThan(LATE)
  const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
  const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
  const expected = greedySet(graph, rankVertices('degree', { vertices: graph.vertices, arcs, degrees, seed: 0 }).order)
  const states = new ByteStates(graph.vertices, memory.states)
  let decided = 0
  for (let v = 0; v < graph.vertices; v++) {
    if (states.get(v) === UNDECIDED) continue
    expect(states.get(v) === IN, `vertex ${v}`).toBe(expected.has(v))
    decided++
  }
  expect(decided).toBeGreaterThan(graph.vertices / 2)
})

it('a worker that fails is heard, not one that was stopped for it and says so first', async () => {
  const cancelled = new Failure({ code: 'cancelled', what: 'cancelled', remedy: '' })
  const damaged = inputFailure('graph.gr', 'damaged', 'Import it again.')
  const later = Promise.resolve()
    .then(() => {})
    .then(() => Promise.reject(damaged))
  await expect(allDone([Promise.reject(cancelled), later], new ScanBoard())).rejects.toBe(damaged)
  await expect(allDone([Promise.reject(cancelled)], new ScanBoard())).rejects.toMatchObject({ code: 'cancelled' })
})
