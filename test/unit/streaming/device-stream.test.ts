import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FileSource } from '../../../workers/base/byte-source.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { Trace } from '../../../workers/base/trace.ts'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import type { GraphFile } from '../../../workers/graph/graph-file.ts'
import { GraphPieces } from '../../../workers/graph/graph-pieces.ts'
import { DeviceStream } from '../../../workers/streaming/device-stream.ts'
import { PieceReader, ScanBoard } from '../../../workers/streaming/piece-scan.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const PIECES = 6

/** Copies take a while, as those of a GPU do. */
class SlowDevice extends CpuDevice {
  underWay = 0

  override async upload(...[buffer, bytes, read, first]: Parameters<CpuDevice['upload']>): Promise<void> {
    this.underWay++
    await pause(20)
    await super.upload(buffer, bytes, read, first)
    this.underWay--
  }
}

async function streamed(signal: { aborted: boolean }, work: (batch: number) => void): Promise<SlowDevice> {
  const folder = scratchFolder('stream')
  const path = join(folder, 'graph.gr')
  writeFileSync(path, new Uint8Array(PIECES << 20))
  const file = new FileSource(path)
  const offsets = { at: 32, bytesEach: 8, leadingZero: false }
  const graph = { path, bytes: PIECES << 20, vertices: 0, arcs: 0, offsets, targetsAt: 32 } as unknown as GraphFile
  const device = new SlowDevice('cpu:0')
  const reader = new PieceReader(graph, file, undefined)
  const pieces = new GraphPieces(graph, file)
  const source = { pieces, reader, crcs: undefined, trace: new Trace(false), signal, board: new ScanBoard() }
  const stream = await DeviceStream.open(device, source, { batchWords: 1 << 18, buffers: 3, packedWords: 0 })
  let next = 0
  const take = () => (next < PIECES ? stream.batch({ first: next, end: ++next }, 0) : undefined)
  try {
    await stream.run('batches', take, (_, { pieces: { first } }) => work(first))
  } finally {
    expect(device.underWay).toBe(0)
    file.close()
    rmSync(folder, { recursive: true })
  }
  return device
}

test('no copy is under way any more when a stream ends, whatever ends it', async () => {
  await streamed(quietJob.signal, () => {})
  const signal = { aborted: false }
  const cancel = (): void => void (signal.aborted = true)
  await expect(streamed(signal, cancel)).rejects.toMatchObject({ code: 'cancelled' })
  const fail = (batch: number): void => {
    if (batch === 2) throw new Error('a launch failed')
  }
  await expect(streamed(quietJob.signal, fail)).rejects.toThrow('a launch failed')
})
