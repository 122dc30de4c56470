import { expect, it } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import { EntryOutput } from '../../../../workers/graph/entries.ts'
import { memoryShares } from '../../../../workers/import/reader/import-resources.ts'
import { SpilledEntries, type Scratch } from '../../../../workers/import/external/spilled-entries.ts'
import { ThreadPool } from '../../../../workers/import/build/import-threads.ts'
import { failureOf, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
/** To sort them takes longer than a slice. */
const LABELS = 300_000

it('a cancel is seen while the texts of an epoch are sorted', async () => {
  const folders = { folder: work.path, dataset: work.path }
  const stage: Scratch['stage'] = (_name, doStage) => doStage()
  const scratch = { ...folders, shares: memoryShares(1 << 20, 1), pool: new ThreadPool(1, quietJob), stage }
  const sink = new SpilledEntries(scratch, { ...quietJob, signal: { aborted: true } })
  const table = sink.newTable()
  for (let i = 0; i < LABELS; i++) table.intern(Buffer.from(`v${i}`))
  const output = new EntryOutput()
  output.next()
  output.add(0, 1, 1)
  const failure = await failureOf(sink.betweenLines(() => output.drain(sink, true)))
  expect(failure).toMatchObject({ code: 'cancelled' })
  sink.close()
})
