import { Argument, type Command } from 'commander'
import { z } from 'zod'
import { documents } from '../documents.ts'
import type { Shell } from '../shell.ts'

/** The version of all documents together. A field that goes, or changes its meaning, makes a new one; fields may be added. */
export const SCHEMA_VERSION = 1

export type DocumentName = keyof typeof documents
export const documentNames = Object.keys(documents) as DocumentName[]

export function schemaOf(name: DocumentName): object {
  const { $schema, ...schema } = z.toJSONSchema(documents[name], {
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Readers take fields that they do not know.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      // JSON has no infinity.
      if (jsonSchema.minimum === -Infinity) delete jsonSchema.minimum
      if (jsonSchema.maximum === Infinity) delete jsonSchema.maximum
      // Python's validators know no classes by property: control characters by their codes.
      jsonSchema.pattern &&= jsonSchema.pattern.replaceAll('\\p{Cc}', '\\u0000-\\u001f\\u007f-\\u009f')
    },
  })
  const title = name === 'record' ? 'FILE.run.json of Anticlique' : `anticlique --json: ${name}`
  return { $schema, $id: `urn:anticlique:schema:${SCHEMA_VERSION}:${name}`, title, ...schema }
}

const examples = `
Examples:
  anticlique schema
  anticlique schema run > run.schema.json`

export function register(program: Command, shell: Shell): void {
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
