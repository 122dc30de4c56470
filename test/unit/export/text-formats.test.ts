import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { writeGraphFile } from '../../../workers/export/formats/write-graph-file.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { GraphExportFormat } from '../../../workers/contract/jobs.ts'
import { smallGraph } from '../../support/graphs.ts'
import { WeightedOnDisk } from '../../support/matching.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

/**
 *   0 - 1 - 3      weights 0.5, 1.25, 2
 *        \\ |       and vertex 2 alone
 *          4
 */
const kite = smallGraph(5, [
  [0, 1],
  [1, 3],
  [1, 4],
  [3, 4],
])
const weightOf = (u: number, v: number): number => (u + v === 1 ? 0.5 : u + v === 4 ? 1.25 : 2)

/** As other programs expect them: what only reads back by our own readers is no format. */
const texts: Partial<Record<GraphExportFormat, string>> = {
  'matrix-market': `%%MatrixMarket matrix coordinate real symmetric
5 5 4
2 1 0.5
4 2 1.25
5 2 2
5 4 2
`,
  'edge-list': `# Undirected graph: each edge once. Vertices: 5 Edges: 4
0\t1\t0.5
1\t3\t1.25
1\t4\t2
3\t4\t2
`,
  csv: `source,target,weight
0,1,0.5
1,3,1.25
1,4,2
3,4,2
`,
  metis: `5 4 001
2 0.5
1 0.5 4 1.25 5 2

2 1.25 5 2
2 2 4 2
`,
  dimacs: `p edge 5 4
e 1 2
e 2 4
e 2 5
e 4 5
`,
  dimacs9: `p sp 5 8
a 1 2 0.5
a 2 1 0.5
a 2 4 1.25
a 2 5 2
a 4 2 1.25
a 4 5 2
a 5 2 2
a 5 4 2
`,
  pbbs: `${['WeightedAdjacencyGraph', 5, 8, 0, 1, 4, 4, 6, 1, 0, 3, 4, 1, 4, 1, 3, 0.5, 0.5, 1.25, 2, 1.25, 2, 2, 2].join('\n')}\n`,
}

it.each(Object.keys(texts) as GraphExportFormat[])('%s: to the letter', async (format) => {
  const { folder, checksum } = new WeightedOnDisk(kite, weightOf)
  folders.push(folder)
  const output = join(folder, 'written')
  await writeGraphFile({ folder, checksum, format, output, gzip: false }, quietJob)
  expect(readFileSync(output, 'utf8')).toBe(texts[format])
})
