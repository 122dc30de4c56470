import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { grLayout } from '../../../workers/graph/graph-file.ts'
import { verifyColouring } from '../../../workers/algorithms/others/colouring/check-colouring.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { withSmallCollections } from '../../support/small-collections.ts'

const MOST = 2 ** 14
const VERTICES = MOST + 2

/** Vertex 0 in the middle. */
function writeStar(vertices: number): string {
  const path = join(scratchFolder('star'), 'graph.gr')
  const { targetsAt, fileBytes } = grLayout(vertices, 2 * vertices - 2, false)
  const words = new Uint32Array(fileBytes / 4)
  words.set([1, 0, 0, 0, vertices, 0, 2 * vertices - 2, 0])
  for (let v = 0; v < vertices; v++) words[8 + 2 * v] = vertices - 1 + v
  for (let v = 1; v < vertices; v++) words[targetsAt / 4 + v - 1] = v
  writeFileSync(path, new Uint8Array(words.buffer))
  return path
}

it('a colouring is verified where a vertex has more neighbours than a Set holds', async () => {
  const graph = GaloisGr.open(writeStar(VERTICES))
  const colours = new Uint32Array(VERTICES).fill(1)
  colours[0] = 0
  const { witness, figures } = await withSmallCollections(MOST, () =>
    verifyColouring(graph, colours, quietJob, { threads: 1 }),
  )
  expect(witness).toBeUndefined()
  expect(figures).toMatchObject({ colours: 2, clique: 2 })
  graph.close()
})
