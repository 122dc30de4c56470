import type { JobContext } from '../base/job.ts'
import type { RunArgs, ValuesResult, Verdict } from '../contract/jobs.ts'
import { algorithmEntry } from '../contract/catalogue.ts'
import { VertexValues } from '../graph/vertex-values.ts'
import type { Answer, AnswerRecord, ResultVerifier, Run, StoredResult } from './algorithm.ts'

interface FoundValues extends Pick<Answer, 'workers' | 'checkpoint'> {
  readonly values: Uint32Array
  /** By the names of the entry's figures, but for those of the verifier. */
  readonly figures: Readonly<Record<string, number>>
  record(result: ValuesResult): AnswerRecord
}

/** The answer of an algorithm that gives every vertex a value. */
export function valuesAnswer(
  { args, graph, labels }: Run,
  found: FoundValues,
  verifier: ResultVerifier,
  job: JobContext,
): Answer {
  const bytes = new Uint8Array(found.values.buffer, found.values.byteOffset, found.values.byteLength)
  const result = valuesResult(args, found)
  const record = found.record(result)
  return {
    bytes,
    workers: found.workers,
    record: () => record,
    verify: () => verifier.verify({ graph, labels: labels(), bytes, result, options: record.options }, job),
    checkpoint: found.checkpoint,
  }
}

function valuesResult({ algorithm }: Pick<RunArgs, 'algorithm'>, { values, figures }: FoundValues): ValuesResult {
  const [first] = algorithmEntry(algorithm)?.values?.figures ?? []
  const size = first && figures[first.name]
  if (size === undefined) throw new Error(`${algorithm} has no first figure`)
  return { kind: 'values', size, figures, hash: new VertexValues(values).hash() }
}

/** The values in a stored result. */
export function valuesOf({ bytes }: StoredResult): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
}

/** A law that is broken: the vertices that prove it, by internal ids, and how in words that name them by their labels. */
export interface ValuesWitness {
  readonly vertices: readonly number[]
  readonly sentence: (labels: readonly string[]) => string
}

/**
 * The verdict on the values of a run.
 * @param figures what the verifier found by itself; one that the run reported otherwise is a broken law, too
 */
export function valuesVerdict(
  stored: StoredResult,
  witness: ValuesWitness | undefined,
  figures: Readonly<Record<string, number>>,
  startMs: number,
): Verdict {
  const { result, labels } = stored
  const claimed = result.kind === 'values' ? result.figures : {}
  const hash = new VertexValues(valuesOf(stored)).hash()
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
