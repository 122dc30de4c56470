import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { finishSums, SumsBuilder } from '../../../workers/base/sums.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { ExportArgs, ExportFormat } from '../../../workers/contract/jobs.ts'
import type { DescribedFormat } from '../../../workers/export/formats/described-graph.ts'
import { exportSet } from '../../../workers/export/export-set.ts'
import { writeGraphFile } from '../../../workers/export/formats/write-graph-file.ts'
import { Matching } from '../../../workers/graph/matching.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { Workplace } from '../../support/ingest-cases.ts'
import { findPython } from '../../support/languages.mjs'

const work = new Workplace()
const python = findPython()
/** Labels that XML and GeoJSON have to escape. */
const labels = ['a & b', '<c>', 'Łódź', 'd "e"', 'f;g', 'h']
const edges = [
  [0, 1, 2.5],
  [1, 2, 1],
  [2, 3, 4],
  [3, 4, 1],
  [0, 4, 3],
] as const
const kinds = ['near', '', 'far & "wide"', 'near', '']
const groups = ['x', 'y & z', '', 'x', 'y & z', 'x']
const people = [10, 2.5, 3, '', 5, -6]
const spots = [
  [0, 0],
  [10.5, -20],
  [180, 90],
  [-180, -90],
  [1, 2],
  [3, 4],
] as const
const members = [true, false, true, false, false, true]

let made: ReturnType<typeof madeGraph> | undefined
const graph = (): ReturnType<typeof madeGraph> => (made ??= madeGraph())

// A workplace is empty after each test.
beforeEach(() => (made = undefined))

async function madeGraph() {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const lines = edges.map(([u, v, weight], i) => `${cell(labels[u]!)},${cell(labels[v]!)},${weight},${cell(kinds[i]!)}`)
  const rows = labels.map((label, v) => `${cell(label)},${cell(groups[v]!)},${people[v]}`)
  const source = work.file('graph.csv', `source,target,weight,kind\n${lines.join('\n')}\n`)
  const vertices = work.file('vertices.csv', `id,group,people\n${rows.join('\n')}\n`)
  const folder = join(work.path, 'graph')
  const { checksum } = await importGraph({ source, folder, vertices, table: { attributes: 'kind' } }, quietJob)
  // Internal ids are in the order of the labels.
  const order = [...labels.keys()].sort((a, b) => Buffer.compare(Buffer.from(labels[a]!), Buffer.from(labels[b]!)))
  const places = join(folder, 'coordinates')
  writeFileSync(places, new Uint8Array(Float32Array.from(order.flatMap((v) => spots[v]!)).buffer))
  finishSums(places, new SumsBuilder())
  const setFile = join(folder, 'set')
  writeFileSync(setFile, Uint8Array.of(order.reduce((bits, v, i) => bits | (Number(members[v]) << i), 0)))
  const mates = Uint32Array.from(order, () => 0xffffffff)
  const [a, b] = [order.indexOf(2), order.indexOf(3)]
  ;[mates[a], mates[b]] = [b, a]
  const mateFile = join(folder, 'mates')
  writeFileSync(mateFile, new Uint8Array(mates.buffer))
  return { folder, checksum, setFile, mateFile, matesHash: new Matching(mates).summary().hash }
}

async function written(format: ExportFormat, kind: 'independent-set' | 'matching' = 'independent-set') {
  const { folder, checksum, setFile, mateFile, matesHash } = await graph()
  const output = join(work.path, `${kind}.${format}`)
  const of = kind === 'matching' ? { resultFile: mateFile, hash: matesHash } : { resultFile: setFile }
  const args: ExportArgs = { folder, checksum, format, output, kind, ...of }
  await exportSet(args, quietJob)
  return output
}

/** The graph without a result. */
async function writtenAlone(format: DescribedFormat) {
  const { folder, checksum } = await graph()
  const output = join(work.path, `alone.${format}`)
  const { files, vertices, arcs, notes } = await writeGraphFile({ folder, checksum, format, output }, quietJob)
  expect({ files, vertices, arcs }).toEqual({ files: [output], vertices: labels.length, arcs: 2 * edges.length })
  expect(notes).toHaveLength(format === 'graphml' || format === 'gexf' ? 0 : 1)
  return output
}

const degreeOf = (v: number): number => edges.filter(([a, b]) => a === v || b === v).length
const expectedNodes = Object.fromEntries(
  labels.map((label, v) => [
    label,
    {
      ...{ in: members[v], degree: degreeOf(v), x: spots[v]![0], y: spots[v]![1] },
      ...(groups[v] === '' ? {} : { group: groups[v] }),
      ...(people[v] === '' ? {} : { people: people[v] }),
    },
  ]),
)
const expectedEdges = Object.fromEntries(
  edges.map(([u, v, weight], i) => [
    [labels[u]!, labels[v]!].sort().join(' - '),
    { weight, ...(kinds[i] === '' ? {} : { kind: kinds[i] }) },
  ]),
)
/** Vertices without what a set says of them. */
const aloneNodes = Object.fromEntries(
  Object.entries(expectedNodes).map(([label, { in: _in, ...known }]) => [label, known]),
)

const reader = `
import json, sys, networkx
def read(path):
    format = path.rsplit('.', 1)[1]
    graph = getattr(networkx, 'read_' + format)(path)
    nodes = {}
    for node, data in graph.nodes(data=True):
        at = data.pop('viz', {}).get('position', {})
        data.pop('label', None)
        if format == 'gexf': assert (at['x'], at['y']) == (data['x'], data['y']), node
        nodes[node] = data
    edges = {' - '.join(sorted([u, v], key=lambda t: t.encode('utf-16-be'))): {k: d[k] for k in d if k != 'id'} for u, v, d in graph.edges(data=True)}
    return {'nodes': nodes, 'edges': edges}
print(json.dumps([read(path) for path in sys.argv[1:]]))
`

interface Read {
  readonly nodes: Readonly<Record<string, unknown>>
  readonly edges: Readonly<Record<string, { readonly weight: number; readonly matched?: boolean }>>
}

const readAll = (files: readonly string[]): readonly Read[] =>
  JSON.parse(execFileSync(python!, ['-c', reader, ...files], { encoding: 'utf8' })) as Read[]

describe('the whole graph with a result', () => {
  it.runIf(python !== null)('NetworkX reads GraphML and GEXF: every vertex and edge as it was', async () => {
    const formats = ['graphml', 'gexf'] as const
    const files = formats.flatMap((format) => [written(format), written(format, 'matching'), writtenAlone(format)])
    const all = readAll(await Promise.all(files))
    for (const i of formats.keys()) {
      const [read, matched, alone] = [all[3 * i]!, all[3 * i + 1]!, all[3 * i + 2]!]
      expect(read).toEqual({ nodes: expectedNodes, edges: expectedEdges })
      expect(alone).toEqual({ nodes: aloneNodes, edges: expectedEdges })
      expect(Object.entries(matched.edges).filter(([, edge]) => edge.matched === true)).toHaveLength(1)
      expect(matched.nodes['Łódź']).toMatchObject({ mate: 'd "e"', degree: 2 })
      expect(matched.nodes['h']).not.toHaveProperty('mate')
    }
  })

  it('GraphML and GEXF are imported again, with the same vertices, edges and attributes', async () => {
    for (const format of ['graphml', 'gexf'] as const) {
      const again = await importGraph(
        { source: await written(format), folder: join(work.path, `again-${format}`) },
        quietJob,
      )
      expect(again.report).toMatchObject({ vertices: labels.length, arcs: 2 * edges.length })
      const attributes = again.report.attributes!.vertices.map(({ name, filled }) => [name, filled])
      expect(attributes).toEqual(
        expect.arrayContaining([
          ['in', 6],
          ['degree', 6],
          ['group', 5],
          ['people', 5],
        ]),
      )
      expect(again.report.attributes!.edges.map(({ name, filled }) => [name, filled])).toEqual([['kind', 3]])
    }
  })

  it('GeoJSON has a point for every vertex and a line for every pair, in longitude and latitude', async () => {
    interface Feature {
      readonly type: string
      readonly geometry: { readonly type: string; readonly coordinates: unknown }
      readonly properties: Readonly<Record<string, unknown>>
    }
    const read = (path: string): readonly Feature[] => {
      const file = JSON.parse(readFileSync(path, 'utf8')) as {
        readonly type: string
        readonly features: readonly Feature[]
      }
      expect(file.type).toBe('FeatureCollection')
      expect(file.features.every(({ type }) => type === 'Feature')).toBe(true)
      return file.features
    }
    for (const [file, nodes] of [
      [await written('geojson'), expectedNodes],
      [await writtenAlone('geojson'), aloneNodes],
    ] as const) {
      const points = read(file)
      expect(points).toHaveLength(labels.length)
      for (const { geometry, properties } of points) {
        const v = labels.indexOf(String(properties['id']))
        expect(geometry).toEqual({ type: 'Point', coordinates: spots[v] })
        const known = Object.fromEntries(
          Object.entries(properties).filter(([name, value]) => name !== 'id' && value !== null),
        )
        expect(known).toEqual(nodes[labels[v]!])
      }
    }
    const lines = read(await written('geojson', 'matching')).filter(({ geometry }) => geometry.type === 'LineString')
    expect(lines).toHaveLength(1)
    expect(new Set(lines[0]!.geometry.coordinates as number[][])).toEqual(
      new Set([
        [180, 90],
        [-180, -90],
      ]),
    )
  })

  it('a table has the same of every vertex; without places there is no GeoJSON', async () => {
    const rows = readFileSync(await written('vertices'), 'utf8')
      .trimEnd()
      .split('\n')
    expect(rows[0]).toBe('id,in,degree,x,y,group,people')
    expect(rows).toContain('a & b,true,2,0,0,x,10')
    expect(rows).toContain('Łódź,true,2,180,90,,3')
    expect(rows).toHaveLength(1 + labels.length)
    const alone = readFileSync(await writtenAlone('vertices'), 'utf8')
    expect(alone).toBe(rows.map((row) => `${row.replace(/,(in|true|false),/, ',')}\n`).join(''))
    const folder = join(work.path, 'bare')
    const { checksum } = await importGraph({ source: work.file('bare.txt', '1 2\n2 3\n3 4\n'), folder }, quietJob)
    const resultFile = join(folder, 'set')
    writeFileSync(resultFile, Uint8Array.of(0b101))
    const args = { folder, checksum, resultFile, format: 'geojson', output: join(work.path, 'bare.geojson') } as const
    for (const write of [exportSet, writeGraphFile])
      await expect(write(args, quietJob)).rejects.toMatchObject({ code: 'usage' })
  })

  it.runIf(process.platform === 'linux')('no file stays open where a table is damaged', async () => {
    const { folder, checksum } = await graph()
    const open = (): readonly string[] =>
      readdirSync('/proc/self/fd').flatMap((file) => {
        try {
          return readlinkSync(`/proc/self/fd/${file}`)
        } catch {
          return []
        }
      })
    const inFolder = (): readonly string[] => open().filter((path) => path.startsWith(folder))
    const before = inFolder()
    for (const [table, formats] of [
      ['edges.arrow', ['graphml', 'vertices']],
      ['vertices.arrow', ['metis', 'gexf']],
    ] as const) {
      const path = join(folder, table)
      writeFileSync(path, readFileSync(path).subarray(0, -1))
      for (const format of formats) {
        const output = join(work.path, `damaged.${format}`)
        await expect(writeGraphFile({ folder, checksum, format, output }, quietJob)).rejects.toMatchObject({
          code: 'input',
        })
        expect(inFolder(), `${format}, ${table}`).toEqual(before)
      }
    }
  })
})
