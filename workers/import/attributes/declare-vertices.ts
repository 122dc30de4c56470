import { inputFailure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { ImportArgs } from '../../contract/jobs.ts'
import { EntryOutput, type EntrySink } from '../../graph/entries.ts'
import { YieldScheduler } from '../../threads/yield-scheduler.ts'
import { IdScanner } from '../formats/table-lines.ts'
import { TextIdsFound, type VertexSpace } from '../graph-reader.ts'
import { BadRow, RowPolicy } from '../row-policy.ts'
import { excerpt } from '../weight-policy.ts'
import { openVertexFile, type VertexRow } from './vertex-file.ts'

const encoder = new TextEncoder()

export interface DeclaredVertices {
  /** Loops among the entries. */
  readonly declared: number
  readonly skipped: number
  readonly warnings: readonly string[]
}

/**
 * Makes vertices of all ids in the table of vertices: also those without edges.
 * @param between called between pieces of the table, whose labels may then be emptied
 * @throws Failure (input) at a row; TextIdsFound for a text among whole numbers
 */
export async function declareVertices(
  { vertices, table }: ImportArgs,
  space: VertexSpace,
  weighted: boolean,
  sink: EntrySink,
  between: (drain: () => Promise<void>) => Promise<void>,
  job: JobContext,
): Promise<DeclaredVertices> {
  const none = { declared: 0, skipped: 0, warnings: [] }
  if (vertices === undefined || space.kind === 'counted') return none
  const file = await openVertexFile(vertices, table)
  const policy = new RowPolicy(table)
  const output = new EntryOutput()
  output.weighted = weighted
  output.next()
  const scheduler = new YieldScheduler(job)
  const declare = space.kind === 'text' ? internTo(space) : addTo(output)
  let rows = 0
  for await (const piece of file.rows(policy, true)) {
    for (const row of piece) {
      try {
        declare(row, ++rows)
      } catch (error) {
        policy.skip(error)
      }
    }
    await output.drain(sink)
    await between(() => output.drain(sink, true))
    await scheduler.yield({ phase: 'parse', done: 0, unit: 'vertices' })
  }
  await output.drain(sink, true)
  if (rows === 0) throw inputFailure(vertices, 'the table of vertices has no rows', 'Is it the right file?')
  return { declared: output.entries, skipped: policy.skipped, warnings: policy.warnings() }
}

const badId = (place: string, id: string, what: string): BadRow =>
  new BadRow('bad-id', place, `the id "${excerpt(id)}" ${what}`, 'Mend it.')

function internTo({ table }: Extract<VertexSpace, { kind: 'text' }>) {
  return ({ id, place }: VertexRow): void => {
    if (table.intern(encoder.encode(id)) < 0) throw badId(place, id, 'holds control characters or is not UTF-8 text')
  }
}

function addTo(output: EntryOutput) {
  const ids = new IdScanner()
  return ({ id, place }: VertexRow, row: number): void => {
    const bytes = encoder.encode(id)
    const kind = ids.read(bytes, 0, bytes.length, false)
    if (kind === 'text') throw new TextIdsFound(row, excerpt(id))
    if (kind !== 'integer') throw badId(place, id, 'is no whole number from 0 to 2^64 - 1')
    output.addWide(ids.low, ids.high, ids.low, ids.high, NaN)
  }
}
