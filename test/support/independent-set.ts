import { rmSync } from 'node:fs'
import { eclMis } from '../../workers/algorithms/ecl-mis.ts'
import { BatchStore } from '../../workers/device/batch-store.ts'
import type { Device } from '../../workers/device/device.ts'
import { noExchange } from '../../workers/exchange/exchange.ts'
import { planBatches } from '../../workers/graph/batches.ts'
import { prepareView } from '../../workers/graph/prepare-view.ts'
import { quietJob } from '../../workers/job.ts'
import type { Priority } from '../../workers/jobs.ts'
import { Trace } from '../../workers/trace.ts'
import type { SmallGraph } from './graphs.ts'
import { writeGraphFolder } from './graphs.ts'

export interface SetRequest {
  readonly priority: Priority
  readonly seed?: number
  readonly column?: Float64Array
  readonly batches?: number
}

/** A small graph in a dataset folder; remove it when the test is over. */
export class GraphOnDisk {
  readonly folder: string
  readonly checksum: string
  readonly vertices: number

  constructor(graph: SmallGraph) {
    const { folder, checksum } = writeGraphFolder(graph)
    this.folder = folder
    this.checksum = checksum
    this.vertices = graph.vertices
  }

  /** Runs ECL-MIS on a device that is open already; returns the members and their hash. */
  async independentSet(device: Device, request: SetRequest): Promise<{ members: Set<number>; hash: string }> {
    const { priority, seed = 0, column, batches: wanted } = request
    const prepared = prepareView({ folder: this.folder, checksum: this.checksum, priority, seed, column }, quietJob)
    try {
      const limits = { batches: wanted, maxBufferBytes: device.maxBufferBytes, maxBatchBytes: Infinity }
      const batches = planBatches(prepared.tailOffsets, limits)
      const store = new BatchStore(device, prepared.view, prepared.tailOffsets, Infinity)
      const part = {
        device,
        store,
        batches,
        vertices: this.vertices,
        exchange: noExchange,
        residual: 0,
        states: undefined,
        trace: new Trace(false),
      }
      const { set } = await eclMis(part, prepared, quietJob)
      await store.release()
      return { members: new Set(set.members()), hash: set.summary().hash }
    } finally {
      prepared.view.close()
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
