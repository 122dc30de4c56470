import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { denseLabels } from '../../../workers/graph/labels.ts'
import { readSetOfOthers, readVertexList } from '../../../workers/graph/vertex-lists.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  readFileSync: () => {
    throw Object.assign(new Error('Cannot create a string longer than 0x1fffffe8 characters'), {
      code: 'ERR_STRING_TOO_LONG',
    })
  },
}))

it('a list may be longer than a string can be', () => {
  const path = join(scratchFolder('long-lists'), 'list')
  writeFileSync(path, '7\n3\n')
  const labels = denseLabels(9, 0)
  expect([...readVertexList(path, labels, 9).members()]).toEqual([3, 7])
  writeFileSync(path, '0\n1\n0\n1\n')
  expect([...readSetOfOthers(path, 'auto', denseLabels(4, 0), 4).members()]).toEqual([1, 3])
})
