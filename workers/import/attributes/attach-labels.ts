import { createReadStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { asFailure, inputFailure } from '../../base/failure.ts'
import { type JobContext, YieldScheduler } from '../../base/job.ts'
import { SUMS_SUFFIX } from '../../base/sums.ts'
import type { ImportReport } from '../../contract/jobs.ts'
import { LABELS_FILE } from '../../graph/labels.ts'
import { integerLabels, labelFacts, TextLabels, writeLabels, writeSummed } from '../build/write-dataset.ts'

const isPlainNumber = /^(?:0|[1-9]\d{0,19})$/
const LARGEST = 2n ** 64n - 1n

/**
 * Gives the vertices of a file that counts them the ids of another file, one a line in their order, as an export writes them to
 * FILE.labels. Ids have to ascend, as those of every dataset do: numbers by value, or texts by code point.
 * @param folder of the dataset, still aside
 * @returns what the report says of them
 * @throws Failure (input) at a line; (storage); (cancelled)
 */
export async function attachLabels(
  path: string,
  folder: string,
  { vertices, labels, format }: ImportReport,
  job: JobContext,
): Promise<ImportReport['labels']> {
  if (labels.kind !== 'dense')
    throw inputFailure(
      path,
      `a file of format ${format} says itself what its vertices are called`,
      'Leave this one out.',
    )
  const read = await readLabels(path, vertices, job)
  const file = join(folder, LABELS_FILE)
  // Another may be there: of a format that counts from 1, or of a killed import.
  for (const old of [file, `${file}${SUMS_SUFFIX}`]) rmSync(old, { force: true })
  if (read.numbers === null) {
    await writeSummed(file, (writer) => read.texts.pieces().forEach((piece) => writer.write(piece)))
    return { kind: 'text', smallest: read.first, largest: read.last }
  }
  const [base = 0n] = read.numbers
  const isRange = read.numbers.every((number, v) => number === base + BigInt(v)) && base <= Number.MAX_SAFE_INTEGER
  const made = isRange ? ({ kind: 'dense', base: Number(base) } as const) : integerLabels(read.numbers)
  if (made.kind === 'integer' || made.base > 0)
    await writeSummed(file, (writer) => writeLabels(writer, made, vertices, () => Promise.resolve()))
  return labelFacts(made, vertices)
}

interface ReadLabels {
  /** null: they are texts. */
  readonly numbers: BigUint64Array<ArrayBuffer> | null
  readonly texts: TextLabels
  readonly first: string
  readonly last: string
}

async function readLabels(path: string, vertices: number, job: JobContext): Promise<ReadLabels> {
  const scheduler = new YieldScheduler(job)
  const texts = new TextLabels(vertices)
  let numbers: ReadLabels['numbers'] = new BigUint64Array(vertices)
  let [count, first, last] = [0, '', '']
  /** The first line whose text is not after the one before; 0: none. */
  let disorder = 0
  try {
    for await (const label of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      if (count === vertices) throw otherCount(path, 'more', vertices)
      const number: bigint = isPlainNumber.test(label) ? BigInt(label) : LARGEST + 1n
      const ascends: boolean = count === 0 || numbers === null || number > numbers[count - 1]!
      if (number > LARGEST || !ascends) numbers = null
      else if (numbers !== null) numbers[count] = number
      if (disorder === 0 && count > 0 && Buffer.compare(Buffer.from(last), Buffer.from(label)) >= 0)
        disorder = count + 1
      if (numbers === null && disorder > 0)
        throw inputFailure(
          `${path}:${disorder}`,
          'this id is not after the one before it, and ids of vertices ascend: numbers by value, texts by code point',
          'Give a table with names of the vertices instead, by the option vertices.',
        )
      texts.add(Buffer.from(label))
      if (count === 0) first = label
      last = label
      count++
      await scheduler.yield({ phase: 'attributes', done: count, total: vertices, unit: 'lines' })
    }
  } catch (error) {
    throw asFailure(error, path)
  }
  if (count < vertices) throw otherCount(path, String(count), vertices)
  return { numbers, texts, first, last }
}

function otherCount(path: string, lines: string, vertices: number) {
  return inputFailure(
    path,
    `the graph has ${vertices} vertices, and this file ${lines} lines`,
    'It has to name each vertex once, in their order: is it of another graph?',
  )
}
