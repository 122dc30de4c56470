import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isSmallGraph } from '../../../workers/engine/near-job.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const header = '%%MatrixMarket matrix coordinate pattern symmetric'

test.each([
  ['a list of edges', '1 2\n2 3\n', true],
  ['a header that promises few vertices', `${header}\n3 3 1\n2 1\n`, true],
  ['a header that promises very many', `${header}\n1000000000 1000000000 1\n2 1\n`, false],
  ['nothing', '', false],
])('a file with %s', async (_, text, isSmall) => {
  const source = join(scratchFolder('near-jobs'), 'graph.mtx')
  writeFileSync(source, text)
  const args = { source, folder: '', datasetName: 'graph' }
  expect(await isSmallGraph(args)).toBe(isSmall)
  expect(await isSmallGraph({ ...args, sources: [`${source}.missing`] })).toBe(false)
})
