import { Argument } from 'commander'
import type { Command } from 'commander'
import { documentNames, SCHEMA_VERSION, schemaOf, type DocumentName } from '../document-schemas.ts'
import type { Shell } from '../shell.ts'

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
