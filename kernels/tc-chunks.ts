import type { Kernel } from './kernel.ts'
import wgsl from './tc-chunks.wgsl?raw'

/** Phase 2, the chunks that still matter; see tc-chunks.wgsl. */
export const tcChunks: Kernel<'chunks' | 'previous' | 'picked', 'records' | 'openAny' | 'picks' | 'counters'> = {
  name: 'tc-chunks',
  wgsl,
  workgroup: 256,
  params: ['chunks', 'previous', 'picked'],
  buffers: [
    { name: 'records', access: 'read' },
    { name: 'openAny', access: 'read' },
    { name: 'picks', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ chunks, previous, picked }, { records, openAny, picks, counters }) => {
    if (counters[previous] === 0) return
    let count = counters[picked]!
    for (let chunk = 0; chunk < chunks; chunk++)
      if (hasOpenRow(openAny, records[4 * chunk + 2]!, records[4 * chunk + 3]!)) picks[count++] = chunk
    counters[picked] = count
  },
}

function hasOpenRow(openAny: Uint32Array, firstRow: number, lastRow: number): boolean {
  for (let row = firstRow; row <= lastRow; row++)
    if (((openAny[row >>> 1]! >>> (16 * (row & 1))) & 0xffff) !== 0) return true
  return false
}
