import { expect, test } from 'vitest'
import { documentNames, SCHEMA_VERSION, schemaOf, type DocumentName } from '../../../electron/cli/commands/schema.ts'

/** What programs of others rely on. A field that goes needs another version of the schemas; new ones are added here. */
const promised: Readonly<Record<DocumentName, string>> = {
  error: 'error',
  devices: 'devices noGpu',
  dataset: 'dataset',
  datasets: 'datasets',
  'datasets-export': 'arcs bytes dataset files format notes vertices',
  coarsen: 'dataset levels',
  plan: 'dataset plan target',
  run: 'algorithm bytes counters dataset devices files options passes plan result resumed rounds run series time upperBound verified',
  rerun:
    'algorithm bytes counters dataset devices files options passes plan rerun result resumed rounds run series time upperBound verified',
  runs: 'runs',
  compare: 'differing runs same',
  'runs-show': 'run',
  verify: '',
  export: 'bytes files format members record run',
  archive: 'bytes files run',
  record: 'dataset finishedAt hash name outcome record request run startedAt versions',
}

test('the fields that version 1 of the schemas promised are all there', () => {
  expect(SCHEMA_VERSION).toBe(1)
  expect(Object.keys(promised)).toEqual(documentNames)
  for (const name of documentNames) {
    const { required = [] } = schemaOf(name) as { required?: string[] }
    expect([name, required.toSorted().join(' ')]).toEqual([name, promised[name]])
  }
  const { anyOf } = schemaOf('verify') as { anyOf: { required: string[] }[] }
  for (const { required } of anyOf)
    expect(required).toEqual(expect.arrayContaining(['dataset', 'run', 'set', 'verified']))
})
