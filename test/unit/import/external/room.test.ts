import { expect, it } from 'vitest'
import { freeDiskBytes } from '../../../../workers/base/host-resources.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { ScratchWork } from '../../../../workers/import/external/scratch-work.ts'
import { Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const FILE_BYTES = 1000

it('the room for entries is that of all files, by what was read of them', () => {
  const [source, ...sources] = ['a.txt', 'b.txt', 'c.txt'].map((name) => work.file(name, 'x'.repeat(FILE_BYTES)))
  const scratch = new ScratchWork({ source: source!, sources, folder: work.newFolder() }, quietJob)
  // Ten times as many do not fit, at 24 bytes and more.
  const stored = freeDiskBytes(work.path) / 200
  const ask = () => scratch.requireRoomToRead(stored, false, 0)
  const read = (done: number) => scratch.job.progress({ phase: 'parse', done, total: FILE_BYTES, unit: 'bytes' })
  read(10)
  expect(ask).toThrow(/of scratch space/)
  read(990)
  expect(ask).not.toThrow()
  for (const done of [10, 900, 10]) {
    read(done)
    expect(ask).not.toThrow()
  }
})
