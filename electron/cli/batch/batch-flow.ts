/**
 * Rows to answers in their order. A reader takes rows while fewer than 4,096 are under way; as many consumers as there are jobs take what has
 * come, at most 64 rows, so that a single row of a session is answered at once, and many share a job; answers wait for those before them.
 * batch-rows.ts reads a row and writes its answer; a job of the engine computes each batch (workers/jobs/batch-graphs.ts).
 */

import { Failure, type FailureValue } from '../../../workers/base/failure.ts'
import type { JobContext } from '../../../workers/base/job.ts'
import type { BatchAnswer } from '../../../workers/contract/jobs.ts'
import type { JobRunner } from '../../pool/pool.ts'
import { answerLine, type AskedRow, errorLine, idOf, readRow, type Row, type RowReader } from './batch-rows.ts'

/** Rows that one job takes: enough that its start is nothing, few enough that all threads have some. */
const MOST_ROWS = 64
const MOST_CHARACTERS = 1 << 20
/** Rows that are read before the first of them is answered. */
const MOST_AHEAD = 4096

interface FlowOptions extends RowReader {
  readonly runner: JobRunner
  readonly job: JobContext
  /** Jobs at a time. */
  readonly parallel: number
  /** A folder for each job, which it makes and removes. */
  readonly scratch: () => string
  readonly write: (line: string) => Promise<void>
}

export interface FlowFigures {
  rows: number
  errors: number
}

/** Answers rows in their order. */
export async function answerRows(rows: AsyncIterable<Row>, options: FlowOptions): Promise<FlowFigures> {
  const figures = { rows: 0, errors: 0 }
  const queue = new RowQueue()
  const answers = new Answers(options.write)
  const consume = async (): Promise<void> => {
    for (let taken = await queue.take(); taken.length > 0; taken = await queue.take()) {
      for (const [index, line, isError] of await answersTo(taken, options)) {
        figures.rows++
        if (isError) figures.errors++
        answers.put(index, line)
      }
      await answers.written()
      queue.moved.wake()
    }
  }
  const consumers = Promise.all(Array.from({ length: options.parallel }, () => consume()))
  consumers.catch(() => queue.end())
  for await (const row of rows) {
    answers.beginAt(row.index)
    queue.put(row)
    while (row.index - answers.next >= MOST_AHEAD && !queue.isOver) await queue.moved.wait()
    if (queue.isOver) break
  }
  queue.end()
  await consumers
  return figures
}

type Line = readonly [index: number, line: string, isError: boolean]

async function answersTo(rows: readonly Row[], options: FlowOptions): Promise<Line[]> {
  const asked: { readonly row: Row; readonly of: AskedRow }[] = []
  const lines: Line[] = []
  for (const row of rows)
    try {
      asked.push({ row, of: readRow(row, options) })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      lines.push([row.index, errorLine(row.index, idOf(row.text), error.toValue()), true])
    }
  const answers = await computed(
    asked.map(({ of }) => of),
    options,
  )
  for (const [at, { row, of }] of asked.entries())
    lines.push([row.index, answerLine(row.index, of.id, answers[at]!), 'failure' in answers[at]!])
  return lines
}

/** The answers to some graphs. If an engine ends with them, each is tried by itself: the others are not at fault. */
async function computed(asked: readonly AskedRow[], options: FlowOptions): Promise<readonly BatchAnswer[]> {
  if (asked.length === 0) return []
  try {
    const args = { scratch: options.scratch(), items: asked.map(({ item }) => item) }
    return (await options.runner.run('batch', args, options.job)).answers
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'cancelled') throw error
    if (asked.length === 1) return [{ failure: error.toValue() satisfies FailureValue }]
    const each: BatchAnswer[] = []
    for (const one of asked) each.push(...(await computed([one], options)))
    return each
  }
}

/** What wakes those that wait. */
class Bell {
  #waiting: (() => void)[] = []

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  wake(): void {
    const all = this.#waiting
    this.#waiting = []
    for (const resolve of all) resolve()
  }
}

class RowQueue {
  readonly moved = new Bell()
  readonly #came = new Bell()
  #rows: Row[] = []
  #isOver = false

  get isOver(): boolean {
    return this.#isOver
  }

  put(row: Row): void {
    this.#rows.push(row)
    this.#came.wake()
  }

  end(): void {
    this.#isOver = true
    this.#came.wake()
    this.moved.wake()
  }

  /** What has come, up to the most that a job takes; none at the end. */
  async take(): Promise<readonly Row[]> {
    while (this.#rows.length === 0 && !this.#isOver) await this.#came.wait()
    let count = 0
    for (let characters = 0; count < Math.min(MOST_ROWS, this.#rows.length) && characters < MOST_CHARACTERS; count++)
      characters += this.#rows[count]!.text.length
    return this.#rows.splice(0, count)
  }
}

/** Lines in the order of their rows. */
class Answers {
  /** The first row that is not written yet. */
  next = -1
  readonly #write: (line: string) => Promise<void>
  readonly #waiting = new Map<number, string>()
  #writing: Promise<void> = Promise.resolve()

  constructor(write: (line: string) => Promise<void>) {
    this.#write = write
  }

  beginAt(index: number): void {
    if (this.next < 0) this.next = index
  }

  put(index: number, line: string): void {
    this.#waiting.set(index, line)
    for (let ready = this.#waiting.get(this.next); ready !== undefined; ready = this.#waiting.get(this.next)) {
      const text = `${ready}\n`
      this.#waiting.delete(this.next++)
      this.#writing = this.#writing.then(() => this.#write(text))
      this.#writing.catch(() => {})
    }
  }

  /** @throws what a line could not be written with */
  written(): Promise<void> {
    return this.#writing
  }
}
