import { Argument, type Command } from 'commander'
import { fieldsOf } from '../documents.ts'
import type { Shell } from '../shell.ts'
import { z } from 'zod'
import { calls } from '../../contract/calls.ts'
import { datasetSchema, remainderSchema } from '../../contract/dataset.ts'
import { failureSchema } from '../../../workers/contract/failure-schema.ts'
import { planSchema } from '../../../workers/contract/plan.ts'
import { runOutcomeSchema } from '../../../workers/contract/run.ts'
import { verdictSchema } from '../../../workers/contract/verify.ts'
import { runRecordSchema, runSchema } from '../../contract/run.ts'

/** Of all documents together. A field that goes, or changes its meaning, makes a new one; fields may be added. */
export const SCHEMA_VERSION = 1

type Json = z.core.JSONSchema.BaseSchema

const jsonOf = (schema: z.ZodType): Json =>
  z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Readers take fields that they do not know.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      delete jsonSchema.$schema
      // JSON has no infinity.
      if (jsonSchema.minimum === -Infinity) delete jsonSchema.minimum
      if (jsonSchema.maximum === Infinity) delete jsonSchema.maximum
    },
  }) as Json

type Properties = Readonly<Record<string, Json>>

/** Names of optional properties end in "?". */
function objectOf(properties: Properties): Json {
  const named = Object.entries(properties).map(([name, schema]) => [name.replace(/\?$/, ''), schema] as const)
  const required = Object.keys(properties).filter((name) => !name.endsWith('?'))
  return { type: 'object', properties: Object.fromEntries(named), required }
}

/** Properties of a schema of the contract, required there or not. */
function picked(schema: z.ZodType, ...names: readonly string[]): Properties {
  const { properties = {}, required = [] } = jsonOf(schema)
  const missing = names.filter((name) => !(name in properties))
  if (missing.length > 0) throw new Error(`the contract has no ${missing.join(', ')}`)
  return Object.fromEntries(
    names.map((name) => [required.includes(name) ? name : `${name}?`, properties[name] as Json]),
  )
}

const text: Json = { type: 'string' }
const number: Json = { type: 'number' }
const texts = listOf(text)
const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: 'null' }] })
function listOf(items: Json): Json {
  return { type: 'array', items }
}

/** What a document has of the contract, and what it makes of it. */
function printed(name: Parameters<typeof fieldsOf>[0], schema: z.ZodType, own: Properties): Properties {
  return { ...picked(schema, ...fieldsOf(name).filter((field) => !(field in own || `${field}?` in own))), ...own }
}

const dataset = objectOf(printed('dataset', datasetSchema, { edges: number }))

const run = printed('run', runOutcomeSchema, {
  resumed: orNull(text),
  dataset: objectOf({ name: text, vertices: number, edges: number, maxDegree: number }),
  devices: texts,
  verified: orNull({ type: 'boolean' }),
  upperBound: orNull(number),
  'verifiedFigures?': { type: 'object', additionalProperties: number },
  run: text,
  files: texts,
})

const summary = printed('summary', runSchema, {
  priority: orNull(text),
  devices: texts,
  fraction: orNull(number),
  weight: orNull(number),
  figures: orNull({ type: 'object', additionalProperties: number }),
  verified: orNull({ type: 'boolean' }),
})

const exported = picked(calls.export.result.shape.outcome, 'files', 'members', 'bytes')

/** What `--json` prints, and the record beside results, by name. */
const documents = {
  error: objectOf({ error: jsonOf(failureSchema) }),
  devices: jsonOf(calls.devices.result),
  dataset: objectOf({ dataset }),
  datasets: objectOf({ datasets: listOf(dataset), 'remainders?': listOf(jsonOf(remainderSchema)) }),
  'datasets-export': objectOf({ dataset: text, format: text, ...allOf(calls['datasets.export'].result) }),
  coarsen: objectOf({
    dataset: text,
    levels: listOf(objectOf({ level: number, dataset: text, vertices: number, edges: number, run: text })),
  }),
  plan: objectOf({
    ...picked(calls.plan.result, 'target', 'dataset'),
    plan: objectOf({ ...allOf(planSchema), fits: { type: 'boolean' } }),
  }),
  run: objectOf(run),
  rerun: objectOf({ ...run, rerun: objectOf({ of: text, hash: text, same: { type: 'boolean' } }) }),
  runs: objectOf({ runs: listOf(objectOf(summary)) }),
  'runs-show': objectOf({ run: objectOf({ ...summary, ...picked(runSchema, 'request', 'record') }) }),
  verify: {
    allOf: [objectOf({ dataset: text, run: orNull(text), set: orNull(text) }), jsonOf(verdictSchema)],
  } satisfies Json,
  export: objectOf({ run: text, format: text, record: orNull(text), ...exported }),
  record: jsonOf(runRecordSchema),
} as const

export type DocumentName = keyof typeof documents
export const documentNames = Object.keys(documents) as DocumentName[]

function allOf(schema: z.ZodType): Properties {
  return picked(schema, ...Object.keys(jsonOf(schema).properties ?? {}))
}

export function schemaOf(name: DocumentName): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:anticlique:schema:${SCHEMA_VERSION}:${name}`,
    title: name === 'record' ? 'FILE.run.json of Anticlique' : `anticlique --json: ${name}`,
    ...documents[name],
  }
}

const examples = `
Examples:
  anticlique schema
  anticlique schema run > run.schema.json`

export function registerSchema(program: Command, shell: Shell): void {
  program
    .command('schema')
    .description('Print the JSON Schema of what --json prints, or of the record of a run; without a name, list them.')
    .addArgument(new Argument('[document]', 'which one').choices(documentNames))
    .addHelpText('after', examples)
    .action((name?: DocumentName) => {
      if (name === undefined)
        shell.answer({ version: SCHEMA_VERSION, documents: documentNames }, documentNames.join('\n'))
      else shell.answer(schemaOf(name), JSON.stringify(schemaOf(name), null, 2))
    })
}
