import type { GenerateArgs } from '../../contract/jobs.ts'
import { EntryOutput } from '../../graph/entries.ts'
import { type GraphModel, graphModel } from '../../generate/graph-models.ts'
import type { EntryBatches, EntryTaker } from './entry-source.ts'
import type { Range } from './thread-tasks.ts'

const STEP = 1 << 14

/** A generator, whose tuples give the entries; any range of them can be made on its own. */
export interface GeneratedEntries {
  readonly kind: 'model'
  readonly args: GenerateArgs
}

/** Makes ranges of tuples as entries of ids. */
export class ModelEntries implements EntryBatches<Range> {
  readonly #model: GraphModel
  readonly #records = new Uint32Array(2 * STEP)

  constructor({ args }: GeneratedEntries) {
    this.#model = graphModel(args)
  }

  each({ first, last }: Range, take: EntryTaker): boolean {
    const records = this.#records
    let at = 0
    const output = new EntryOutput(1)
    output.add = (from, to) => {
      records[at] = from
      records[at + 1] = to
      at += 2
      if (at < records.length) return
      take(records)
      at = 0
    }
    this.#model.write(first, last, output)
    if (at > 0) take(records.subarray(0, at))
    return true
  }

  close(): void {}
}
