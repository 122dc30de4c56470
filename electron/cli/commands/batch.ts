/**
 * `anticlique batch`: many graphs or runs from a file or a session on standard input, answered line by line as JSON, in order. A file of answers
 * that was cut is continued: whole lines stay, the rest is computed. A reader that waits for a line ends with the program. batch/batch-rows.ts
 * has the rows, batch/batch-flow.ts the flow between reader, engine and writer.
 */

import {
  closeSync,
  createReadStream,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { once } from 'node:events'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { asFailure, inputFailure, usageFailure } from '../../../workers/base/failure.ts'
import { throwIfCancelled } from '../../../workers/base/job.ts'
import { integerArgument, outputArgument } from '../argument.ts'
import { answerRows, type FlowFigures } from '../batch/batch-flow.ts'
import type { Row } from '../batch/batch-rows.ts'
import type { JobRunner } from '../../pool/pool.ts'
import { addRequestOptions } from '../run-request.ts'
import type { Shell } from '../shell.ts'
import { count, counted, duration } from '../text.ts'

const examples = `
A row is an object of JSON on one line: a graph, an "id" of your own, and options of "anticlique run" that differ from those of the command.
  {"id": "a", "n": 4, "edges": [[0, 1], [1, 2], [2, 3]]}
  {"n": 3, "edges": [[0, 1], [1, 2]], "priority": "hash", "quality": "better", "verify": true}
  {"graph6": "DQc"}                {"file": "graph.mtx.gz"}                {"dataset": "cities-10km", "seed": 7}
The answer to each is a line with "index" and the fields of "run --json", with "members", "pairs" or "values"; or with "error". Answers are in the order of rows,
and a row is answered without waiting for the next one. Nothing is kept in the library.

Examples:
  anticlique batch graphs.jsonl --output answers.jsonl
  anticlique batch graphs.jsonl --output answers.jsonl --resume
  anticlique batch graphs.g6 --algorithm colouring --devices cpu:0
  anticlique batch folder --priority hash --verify
  anticlique batch graphs.tar.gz --output answers.jsonl
  anticlique batch graphs.zip --verify`

interface BatchOptions extends Readonly<Record<string, unknown>> {
  readonly output?: string
  readonly resume?: boolean
  readonly parallel?: number
}

export function register(program: Command, shell: Shell): void {
  const command = program
    .command('batch')
    .description('Compute many graphs in one go: rows of JSON in, rows of JSON out.')
    .argument(
      '[input]',
      'a file with rows, a .g6 file with a graph a line, a folder, tar or zip of graph files, or - for standard input',
      '-',
    )
    .option('--output <file>', 'write answers to this file, not to standard output', outputArgument)
    .option('--resume', 'continue behind the answers that the output file has')
    .option('--parallel <n>', 'graphs at a time (default: as many as there are cores)', integerArgument(1, 256))
  addRequestOptions(command, examples).action(
    (input: string, { output, resume = false, parallel = availableParallelism(), ...usual }: BatchOptions) => {
      if (resume && output === undefined)
        throw usageFailure('--resume', 'there is no file with answers', 'Name it with --output.')
      return shell.open(async (place) => {
        const to = output === undefined ? standardOutput : new AnswerFile(resolve(output), resume)
        const startMs = performance.now()
        const unpackedTo = scratchFolder()
        try {
          const rows = skipped(
            rowsOf(input, (archive) => unpack(archive, unpackedTo, place.runner, shell)),
            to.answered,
          )
          // Graphs of a batch are small, or several share the machine: the processor has the shortest way.
          const devices = usual['devices'] === 'auto' ? 'cpu:0' : usual['devices']
          const figures = await answerRows(untilStopped(rows, shell), {
            ...{ library: place.library, usual: { ...usual, devices }, runner: place.runner, job: shell.job, parallel },
            scratch: scratchFolder,
            write: (line) => to.write(line),
          })
          throwIfCancelled(shell.job.signal)
          const document = { ...figures, answeredBefore: to.answered, output: output ?? null }
          const text = summary(figures, to.answered, performance.now() - startMs)
          if (output === undefined) shell.remark(text)
          else shell.answer(document, text)
        } finally {
          to.close()
          rmSync(unpackedTo, { recursive: true, force: true })
        }
      })
    },
  )
}

let scratchFolders = 0

/** Pages of files that are written and removed again stay in memory; a killed program's folder goes with the system's others. */
const scratchFolder = (): string => join(tmpdir(), `anticlique-batch-${process.pid}-${scratchFolders++}`)

function summary({ rows, errors }: FlowFigures, before: number, elapsedMs: number): string {
  const wrong = errors === 0 ? '' : `, ${counted(errors, 'error', 'errors')}`
  const earlier = before === 0 ? '' : `; ${count(before)} were answered before`
  return `${counted(rows, 'graph', 'graphs')} in ${duration(elapsedMs)}${wrong}${earlier}`
}

/** Ends a reader that waits for a line: of a session, whose other end waits, too. */
async function* untilStopped(rows: AsyncIterator<Row>, { job: { signal } }: Shell): AsyncGenerator<Row> {
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  for (;;) {
    const next = await Promise.race([rows.next(), stopped])
    if (next === undefined || next.done === true) return
    yield next.value
  }
}

async function* skipped(texts: AsyncIterable<string>, count: number): AsyncGenerator<Row> {
  let index = 0
  for await (const text of texts) {
    if (text.trim() === '') continue
    if (index >= count) yield { index, text }
    index++
  }
}

/** The files of an archive, as rows. They stay until the last one is answered. @throws Failure (input); (storage) */
async function unpack(archive: string, folder: string, runner: JobRunner, { job }: Shell): Promise<readonly string[]> {
  const { graphs } = await runner.run('unpack-graphs', { archive, folder }, job)
  if (graphs.length === 0)
    throw inputFailure(
      archive,
      'no file in this archive is a graph, by its name',
      'Pack graph files, one graph in each.',
    )
  return graphs.map(({ name, file }) => JSON.stringify({ id: name, file }))
}

/** The rows of an input as text. @throws Failure (input) */
async function* rowsOf(
  input: string,
  unpackAll: (archive: string) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  if (input === '-') return yield* linesOf(process.stdin, '-')
  const path = resolve(input)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined)
    throw inputFailure(input, 'there is no file and no folder of this name', 'Check the spelling of the path.')
  if (found.isDirectory()) {
    for (const name of readdirSync(path).sort())
      if (statSync(join(path, name)).isFile()) yield JSON.stringify({ id: name, file: join(path, name) })
    return
  }
  if (/\.(?:zip|tar(?:\.(?:gz|bz2|xz|zst))?|tgz|tbz2?|txz|tzst)$/i.test(path)) return yield* await unpackAll(path)
  const lines = linesOf(createReadStream(path), path)
  if (!/\.g6$/i.test(path)) return yield* lines
  for await (const graph6 of lines) if (graph6.trim() !== '') yield JSON.stringify({ graph6 })
}

async function* linesOf(input: NodeJS.ReadableStream, name: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input, crlfDelay: Infinity })
  } catch (error) {
    throw asFailure(error, name)
  }
}

interface AnswerPlace {
  /** Rows that were answered before. */
  readonly answered: number
  write(line: string): Promise<void>
  close(): void
}

const standardOutput: AnswerPlace = {
  answered: 0,
  async write(line) {
    if (!process.stdout.write(line)) await once(process.stdout, 'drain')
  },
  close() {},
}

const NEWLINE = 10

/** A file whose whole lines are answers; a line that was cut by the end of the program is written again. */
class AnswerFile implements AnswerPlace {
  readonly answered: number
  readonly #path: string
  readonly #file: number

  /** @throws Failure (input, storage) */
  constructor(path: string, resume: boolean) {
    this.#path = path
    this.#file = this.#tried(() => openSync(path, resume ? 'a+' : 'w'))
    const { lines, bytes } = resume ? this.#tried(() => wholeLines(this.#file)) : { lines: 0, bytes: 0 }
    this.#tried(() => ftruncateSync(this.#file, bytes))
    this.answered = lines
  }

  async write(line: string): Promise<void> {
    this.#tried(() => writeSync(this.#file, line))
  }

  close(): void {
    this.#tried(() => fsyncSync(this.#file))
    closeSync(this.#file)
  }

  #tried<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asFailure(error, this.#path)
    }
  }
}

function wholeLines(file: number): { lines: number; bytes: number } {
  const chunk = Buffer.alloc(1 << 20)
  let [lines, bytes] = [0, 0]
  for (let at = 0, read = readSync(file, chunk, 0, chunk.length, 0); read > 0;) {
    for (let i = 0; i < read; i++)
      if (chunk[i] === NEWLINE) {
        lines++
        bytes = at + i + 1
      }
    at += read
    read = readSync(file, chunk, 0, chunk.length, at)
  }
  return { lines, bytes }
}
