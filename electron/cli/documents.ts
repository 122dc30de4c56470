/**
 * The documents that `--json` prints, and the record beside results: a schema for each by name, which `anticlique schema` gives
 * away, and the functions that make them of what the contract answers. A document has the fields of its schema in their order,
 * and gains fields from version to version; none goes.
 */

import { z } from 'zod'
import { planSchema, runOutcomeSchema } from '../../workers/contract/run.ts'
import { verdictSchema } from '../../workers/contract/result.ts'
import { failureSchema, lazily } from '../../workers/contract/schema.ts'
import { calls } from '../contract/calls.ts'
import { datasetSchema, remainderSchema, type Dataset } from '../contract/dataset.ts'
import { optionsOf, runRecordSchema, runSchema, totalMsOf, type Run } from '../contract/run.ts'
import { inCommands } from './failure-text.ts'

const text = z.string()
const number = z.number()
const texts = z.array(text)
const verified = z.boolean().nullable()
const figures = z.record(text, number)

/** @param fields in the order in which they are printed: such as are made here, else of the contract */
function printed<Own extends z.ZodRawShape>(fields: string, own: Own, { shape }: z.ZodObject) {
  return z.object(Object.fromEntries(fields.split(/\s+/).map((name) => [name, own[name] ?? shape[name]!])))
}

/** Parts of documents, by name. */
const parts = lazily({
  dataset: () =>
    printed(
      `id name vertices edges arcs maxDegree meanDegree weighted bytes packedBytes checksum source linked createdAt
        report`,
      { edges: number },
      datasetSchema,
    ),
  summary: () =>
    printed(
      `id name state dataset algorithm priority seed quality options devices size fraction weight figures hash verified
        upperBound time waited verifyMs createdAt startedAt finishedAt failure`,
      {
        priority: text.nullable(),
        seed: number.nullable(),
        quality: text.nullable(),
        options: runOutcomeSchema.shape.options.nullable(),
        upperBound: number.nullable(),
        time: runOutcomeSchema.shape.time.nullable(),
        waited: runOutcomeSchema.shape.waited,
        verifyMs: number.nullable(),
        devices: texts,
        fraction: number.nullable(),
        weight: number.nullable(),
        figures: figures.nullable(),
        verified,
      },
      runSchema,
    ),
  /** A run of one of several seeds. */
  seed: () =>
    z.object({
      seed: number,
      run: text,
      /** Whether the library has it. */
      kept: z.boolean(),
      ...{ size: number, weight: number.nullable(), hash: text },
      verified,
      upperBound: number.nullable(),
      totalMs: number.nullable(),
    }),
  run: (): z.ZodObject =>
    printed(
      `algorithm dataset devices options result rounds time waited bytes passes verified upperBound verifiedFigures resumed run plan
        counters series files seeds`,
      {
        resumed: text.nullable(),
        dataset: z.object({ name: text, vertices: number, edges: number, maxDegree: number }),
        devices: texts,
        verified,
        upperBound: number.nullable(),
        verifiedFigures: figures.optional(),
        run: text,
        files: texts,
        /** All runs of `--seeds`, in their order; all else is of the best. */
        seeds: z.object({ kept: z.enum(['best', 'all']), runs: z.array(parts.seed) }).optional(),
      },
      runOutcomeSchema,
    ),
  level: () => z.object({ level: number, dataset: text, vertices: number, edges: number, run: text }),
})

/** What `--json` prints, and the record beside results, by name. */
export const documents = lazily({
  error: () => z.object({ error: failureSchema }),
  devices: () => calls.devices.result,
  dataset: () => z.object({ dataset: parts.dataset }),
  datasets: () =>
    z.object({
      datasets: z.array(parts.dataset),
      remainders: z.array(remainderSchema).optional(),
      /** Graphs of a file of several that could not be imported. */
      failed: z.array(z.object({ graph: text, error: failureSchema })).optional(),
    }),
  'datasets-export': () => z.object({ dataset: text, format: text, ...calls['datasets.export'].result.shape }),
  coarsen: () => z.object({ dataset: text, levels: z.array(parts.level) }),
  plan: () => calls.plan.result.extend({ plan: planSchema.extend({ fits: z.boolean() }) }),
  run: () => parts.run,
  rerun: () => parts.run.extend({ rerun: z.object({ of: text, hash: text, same: z.boolean() }) }),
  runs: () => z.object({ runs: z.array(parts.summary) }),
  compare: () =>
    z.object({
      runs: z.array(parts.summary),
      /** Names of the options in which the runs differ. */
      differing: texts,
      /** Whether all have the same result. */
      same: z.boolean(),
    }),
  'runs-show': () => z.object({ run: parts.summary.extend(runSchema.pick({ request: true, record: true }).shape) }),
  verify: () => z.intersection(z.object({ dataset: text, run: text.nullable(), set: text.nullable() }), verdictSchema),
  export: () =>
    z.object({
      ...{ run: text, format: text, record: text.nullable() },
      ...calls.export.result.shape.outcome.pick({ files: true, members: true, bytes: true }).shape,
    }),
  archive: () => calls.archive.result,
  record: () => runRecordSchema,
})

const documentOf = ({ shape }: z.ZodObject, values: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.keys(shape).map((field) => [field, values[field]]))

/** `edges` counts each undirected edge once. */
export const datasetDocument = (of: Dataset): object => documentOf(parts.dataset, { ...of, edges: of.arcs / 2 })

export function runSummary(of: Run): object {
  const outcome = of.record?.outcome
  const result = outcome?.result
  return documentOf(parts.summary, {
    ...of,
    ...{ priority: optionsOf(of.request).priority ?? null, seed: of.request.seed ?? null },
    quality: optionsOf(of.request).quality ?? null,
    options: outcome?.options ?? null,
    upperBound: outcome?.verification?.upperBound ?? null,
    // Of a run that was resumed it is that of the last attempt.
    time: outcome === undefined || outcome.resumed !== undefined ? null : outcome.time,
    verifyMs: outcome?.verification?.elapsedMs ?? null,
    waited: outcome?.waited,
    devices: outcome?.devices.map(({ id }) => id) ?? [of.request.device],
    fraction: result?.kind === 'independent-set' ? result.fraction : null,
    weight: result === undefined || result.kind === 'values' ? null : (result.weight ?? null),
    figures: result?.kind === 'values' ? result.figures : null,
    verified: outcome?.verification?.verified ?? null,
    failure: of.failure === null ? null : inCommands(of.failure),
  })
}

/** What a document of several seeds says of one. */
export function seedRow(of: Run, kept: boolean): object {
  const outcome = of.record?.outcome
  return documentOf(parts.seed, {
    ...(runSummary(of) as Readonly<Record<string, unknown>>),
    ...{ run: of.id, kept, totalMs: outcome === undefined ? null : totalMsOf(outcome) },
  })
}

/** Only for a run with a record. */
export function runDocument({ id, record }: Run, files: readonly string[]): object {
  if (record === null) throw new Error(`run ${id} has no record`)
  const { name, vertices, arcs, maxDegree } = record.dataset
  const { devices, verification, resumed } = record.outcome
  return documentOf(parts.run, {
    ...record.outcome,
    dataset: { name, vertices, edges: arcs / 2, maxDegree },
    devices: devices.map((device) => device.id),
    verified: verification?.verified ?? null,
    upperBound: verification?.upperBound ?? null,
    verifiedFigures: verification?.figures,
    resumed: resumed ?? null,
    run: id,
    files,
  })
}
