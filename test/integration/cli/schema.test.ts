import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DocumentName, schemaOf } from '../../../electron/cli/commands/schema.ts'
import { root } from '../../unit/structure/source-files.ts'
import { CommandLineHere } from './command-line.ts'

type Validate = ((document: unknown) => boolean) & { readonly errors?: readonly object[] | null }
interface Ajv2020 {
  compile(schema: object): Validate
}

/** The validator that electron-builder brings along: an implementation other than the one that wrote the schemas. */
const fromProject = createRequire(join(root, 'package.json'))
const fromBuilder = createRequire(fromProject.resolve('electron-builder/package.json'))
const fromLibrary = createRequire(fromBuilder.resolve('app-builder-lib/package.json'))
const { default: Ajv } = fromLibrary('ajv/dist/2020') as { default: new (options: object) => Ajv2020 }

/** With no field beyond those that it names. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in schema && !('additionalProperties' in schema)
    ? { ...inner, additionalProperties: false }
    : inner
}

test('what --json prints is what the published schemas say, and nothing beyond', async () => {
  const cli = new CommandLineHere()
  cli.write('path.txt', '1 2 0.5\n2 3 1.5\n3 4 1\n')
  cli.write('set.txt', '1\n3\n')
  const answers: [string, unknown][] = []
  const answer = async (name: string, ...words: string[]): Promise<void> => {
    answers.push([name, JSON.parse((await cli.run('--json', ...words)).stdout)])
  }
  await answer('dataset', 'import', 'path.txt')
  await answer('run', 'run', 'path', '--verify', '--output', 'own.txt')
  answers.push(['record', JSON.parse(readFileSync(join(cli.folder, 'own.txt.run.json'), 'utf8'))])
  await answer('rerun', 'rerun', 'own.txt.run.json', '--devices', 'cpu:0')
  for (const algorithm of ['ld-gpu', 'bfs']) await answer('run', 'run', 'path', '--algorithm', algorithm, '--verify')
  await answer('datasets', 'datasets')
  await answer('datasets-export', 'datasets', 'export', 'path', '--format', 'metis', '--output', 'path.graph')
  await answer('plan', 'plan', 'path', '--devices', 'cpu:0')
  await answer('coarsen', 'coarsen', 'path', '--vertices', '2')
  await answer('runs', 'runs')
  await answer('compare', 'compare', '--dataset', 'path')
  await answer('runs-show', 'runs', 'show', 'latest')
  await answer('verify', 'verify', 'path', '--set', 'set.txt')
  await answer('export', 'export', 'latest', '--output', 'again.csv')
  await answer('archive', 'archive', 'latest', '--output', 'whole.tar')
  await answer('devices', 'devices')
  await answer('error', 'run', 'no-such-file.txt')
  await answer('error', 'datasets', 'show', 'nothing')

  const { documents } = await cli.json<{ documents: DocumentName[] }>('schema')
  expect([...new Set(answers.map(([name]) => name))].sort()).toEqual([...documents].sort())
  // What the command prints of one, all others are made by the same function.
  expect(await cli.json('schema', 'run')).toEqual(JSON.parse(JSON.stringify(schemaOf('run'))))
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const name of documents) {
    const schema = schemaOf(name) as { $id: string }
    expect(schema.$id).toBe(`urn:anticlique:schema:1:${name}`)
    // Python's re refuses it, and with it the whole schema.
    expect(JSON.stringify(schema)).not.toContain('\\p{')
    const open = ajv.compile(schema)
    // Of the parts of allOf none names all fields.
    const whole = 'allOf' in schema ? open : ajv.compile({ ...(closed(schema) as object), $id: `${schema.$id}:closed` })
    for (const [, document] of answers.filter(([of]) => of === name)) {
      expect([name, open(document), open.errors]).toEqual([name, true, null])
      expect([name, whole(document), whole.errors]).toEqual([name, true, null])
      expect(open({})).toBe(false)
    }
  }
})
