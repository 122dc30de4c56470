import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { expect, it } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import type { ExportFormat } from '../../../workers/contract/jobs.ts'
import { exportSet } from '../../../workers/export/export-set.ts'
import { textFile } from '../../../workers/import/build/write-dataset.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
const graph = {
  nodes: [
    { id: 'a', group: 'x, y', size: 1.5, in: true },
    { id: 'b', group: '=1+1' },
    { id: 'c', size: 3 },
  ],
  links: [
    { source: 'a', target: 'b', weight: 2, kind: 'road' },
    { source: 'b', target: 'c', weight: 1 },
  ],
}

/** The set {a, c}, or the matching {ab}. */
async function exported(
  format: ExportFormat,
  kind: 'independent-set' | 'matching',
  spreadsheetSafe?: boolean,
  names?: readonly string[],
): Promise<Buffer> {
  const folder = work.newFolder()
  const { checksum } = await importGraph({ source: work.file('g.json', JSON.stringify(graph)), folder }, quietJob)
  if (names !== undefined) writeFileSync(join(folder, 'names'), textFile(names))
  const resultFile = join(folder, 'result')
  const none = 2 ** 32 - 1
  writeFileSync(
    resultFile,
    kind === 'matching' ? new Uint8Array(Uint32Array.of(1, 0, none).buffer) : Uint8Array.of(0b101),
  )
  const output = join(folder, 'out', 'file')
  await exportSet({ folder, checksum, resultFile, kind, format, output, spreadsheetSafe }, quietJob)
  return readFileSync(output)
}

const rowsOf = async (bytes: Buffer): Promise<unknown[]> =>
  parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer })

it('names come along, of a pair those of both ends', async () => {
  const names = ['Graz', '', 'Linz, Stadt']
  const lines = async (kind: 'independent-set' | 'matching'): Promise<string[]> =>
    (await exported('csv', kind, undefined, names)).toString().split('\n')
  expect((await lines('independent-set'))[0]).toBe('id,in,name,group,size,in_')
  expect((await lines('independent-set')).at(-2)).toBe('c,1,"Linz, Stadt",,3,')
  const [head, pair] = await lines('matching')
  expect(head).toContain('source.name')
  expect(pair).toContain('Graz')
})

it('an attribute that is called name keeps its column, also beside a label', async () => {
  const folder = work.newFolder()
  const nodes = [
    { id: 'a', label: 'A', name: 'Anna' },
    { id: 'b', label: 'B', name: 'Bert' },
  ]
  const text = JSON.stringify({ nodes, links: [{ source: 'a', target: 'b' }] })
  const { checksum } = await importGraph({ source: work.file('g.json', text), folder }, quietJob)
  const [resultFile, output] = [join(folder, 'result'), join(folder, 'out', 'file')]
  writeFileSync(resultFile, Uint8Array.of(0b1))
  await exportSet({ folder, checksum, resultFile, kind: 'independent-set', format: 'csv', output }, quietJob)
  expect(readFileSync(output, 'utf8')).toBe('id,in,label,name\na,1,A,Anna\nb,0,B,Bert\n')
})

it('a set comes with the attributes of its vertices, under names of their own', async () => {
  const csv = 'id,in,group,size,in_\na,1,"x, y",1.5,true\nb,0,=1+1,,\nc,1,,3,\n'
  expect((await exported('csv', 'independent-set')).toString()).toBe(csv)
  expect((await exported('csv', 'independent-set', true)).toString()).toContain("'=1+1")
  expect((await exported('ids', 'independent-set')).toString()).toBe('a\nc\n')
  expect(await rowsOf(await exported('parquet', 'independent-set'))).toEqual([
    { id: 'a', group: 'x, y', size: 1.5, in: true },
    { id: 'c', group: null, size: 3, in: null },
  ])
})

it('a matching comes with those of its edges and of both ends', async () => {
  expect((await exported('csv', 'matching')).toString()).toBe(
    'source,target,kind,source.group,source.size,source.in,target.group,target.size,target.in,weight\na,b,road,"x, y",1.5,true,=1+1,,,2\n',
  )
  expect(await rowsOf(await exported('parquet', 'matching'))).toMatchObject([
    { source: 'a', target: 'b', weight: 2, kind: 'road', 'source.size': 1.5, 'target.size': null },
  ])
  expect((await exported('aggregate', 'matching')).toString()).toBe(
    'id,aggregate,group,size,in\na,0,"x, y",1.5,true\nb,0,=1+1,,\nc,1,,3,\n',
  )
})
