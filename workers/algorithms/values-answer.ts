import type { JobContext } from '../base/job.ts'
import type { RunArgs, ValuesResult, Verdict } from '../contract/jobs.ts'
import { algorithmEntry } from '../contract/catalogue.ts'
import type { Labels } from '../graph/labels.ts'
import { hashOfValues, NO_VALUE } from '../graph/result-file.ts'
import { type Checked, type Witness, witnessAt } from '../verify/verify-values.ts'
import type { Answer, AnswerRecord, ResultVerifier, Run, StoredResult } from './algorithm.ts'

interface FoundValues extends Pick<Answer, 'workers' | 'checkpoint'> {
  readonly values: Uint32Array
  /** By the names of the entry's figures, but for those of the verifier. */
  readonly figures: Readonly<Record<string, number>>
  readonly record: Omit<AnswerRecord, 'result'>
}

/** The answer of an algorithm that gives every vertex a value. */
export function valuesAnswer({ args }: Run, found: FoundValues): Answer {
  const { values, workers, checkpoint } = found
  const { devices, options, ...record } = found.record
  const result = valuesResult(args, found)
  return {
    bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
    workers,
    record: () => ({ devices, options, result, ...record }),
    checkpoint,
  }
}

function valuesResult({ algorithm }: Pick<RunArgs, 'algorithm'>, { values, figures }: FoundValues): ValuesResult {
  const [first] = algorithmEntry(algorithm)?.values?.figures ?? []
  const size = first && figures[first.name]
  if (size === undefined) throw new Error(`${algorithm} has no first figure`)
  return { kind: 'values', size, figures, hash: hashOfValues(values) }
}

/** @param check the values of a result, by code of its own; a figure that the run reported otherwise is a broken law, too */
export const valuesVerifier = (
  plan: ResultVerifier['plan'],
  check: (values: Uint32Array, stored: StoredResult, job: JobContext) => Checked | Promise<Checked>,
): ResultVerifier => ({
  plan,
  verify: async (stored, job) => {
    const startMs = performance.now()
    const { buffer, byteOffset, byteLength } = stored.bytes
    const values = new Uint32Array(buffer, byteOffset, byteLength / 4)
    return verdictOn(values, stored, await check(values, stored, job), startMs)
  },
})

function verdictOn(
  values: Uint32Array,
  { result, labels }: StoredResult,
  { witness, figures }: Checked,
  startMs: number,
): Verdict {
  const isClaimed = result.kind === 'values'
  const claimed = isClaimed ? result.figures : {}
  const other = Object.keys(figures).find((name) => claimed[name] !== undefined && claimed[name] !== figures[name])
  const broken =
    other === undefined
      ? undefined
      : witnessAt([], () => `${other} is ${figures[other]}, and the run says ${claimed[other]}`)
  const common = { size: isClaimed ? result.size : 0, hash: hashOfValues(values), upperBound: null, figures }
  return verdictBy(witness ?? broken, labels, { ...common, elapsedMs: performance.now() - startMs })
}

/** @param witness undefined: the result is what it should be */
export function verdictBy(
  witness: Witness | undefined,
  labels: Labels,
  common: Omit<Extract<Verdict, { verified: true }>, 'verified'>,
): Verdict {
  if (witness === undefined) return { ...common, verified: true }
  const vertices = witness.vertices.map((v) => labels.of(v))
  return { ...common, verified: false, law: 'as claimed', vertices, sentence: witness.sentence(vertices) }
}

/** How many vertices have each value, from 0 to the largest. */
export function sizesOf(values: Uint32Array): Uint32Array {
  let count = 0
  for (const value of values) if (value !== NO_VALUE && value >= count) count = value + 1
  const sizes = new Uint32Array(count)
  for (const value of values) if (value !== NO_VALUE) sizes[value]!++
  return sizes
}

export const sizeFigures = (sizes: Uint32Array) => ({
  largest: sizes.reduce((a, b) => Math.max(a, b), 0),
  smallest: sizes.length === 0 ? 0 : sizes.reduce((a, b) => Math.min(a, b)),
})
