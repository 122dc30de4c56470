import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BucketBuilder, type BuildTask } from '../../../../workers/import/build/bucket-builder.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const folder = scratchFolder('cancel-in-bucket')
const RECORDS = 10_000

/** A star, as one bucket. */
function starBuilder(budgetBytes: number, aborted: boolean): () => number {
  const [graphPath, bucket] = [join(folder, 'graph.gr'), join(folder, 'buckets')]
  writeFileSync(graphPath, '')
  writeFileSync(
    bucket,
    Uint32Array.from({ length: 2 * RECORDS }, (_, i) => (i % 2 === 0 ? 0 : 1 + (i >> 1))),
  )
  const turn = new Int32Array(new SharedArrayBuffer(4))
  const position = new Float64Array(new SharedArrayBuffer(8))
  const task: BuildTask = {
    graphPath,
    weightsPath: null,
    vertices: RECORDS + 1,
    merge: { rule: 'max', scale: 1, offset: 0 },
    recordWords: 2,
    budgetBytes,
    splitPath: join(folder, 'split'),
    turn,
    position,
  }
  const builder = new BucketBuilder(task, { aborted })
  const places = [0, 0, RECORDS]
  return () => builder.build({ number: 0, bucket: { first: 0, last: RECORDS + 1, paths: [bucket], places } }).arcs
}

it('a bucket that does not fit in memory is left where the import is cancelled', () => {
  expect(starBuilder(1 << 14, false)()).toBe(RECORDS)
  expect(starBuilder(1 << 14, true)).toThrow('cancelled')
})
