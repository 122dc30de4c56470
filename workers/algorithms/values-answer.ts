import type { JobContext } from '../base/job.ts'
import type { RunArgs, ValuesResult, Verdict } from '../contract/jobs.ts'
import { algorithmEntry } from '../contract/catalogue.ts'
import { hashOfValues } from '../graph/result-file.ts'
import type { Checked } from '../verify/witness.ts'
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
  const claimed = result.kind === 'values' ? result.figures : {}
  const hash = hashOfValues(values)
  const size = result.kind === 'values' ? result.size : 0
  const common = { size, hash, upperBound: null, figures, elapsedMs: performance.now() - startMs }
  const broken = (vertices: readonly string[], sentence: string): Verdict => ({
    ...common,
    verified: false,
    law: 'as claimed',
    vertices,
    sentence,
  })
  if (witness !== undefined) {
    const names = witness.vertices.map((v) => labels.of(v))
    return broken(names, witness.sentence(names))
  }
  for (const [name, value] of Object.entries(figures))
    if (claimed[name] !== undefined && claimed[name] !== value)
      return broken([], `${name} is ${value}, and the run says ${claimed[name]}`)
  return { ...common, verified: true }
}
