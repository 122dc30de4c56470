import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { retireViews } from '../../../electron/library/leftovers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

it('the prepared views of version 0.1 go, tiles among them', () => {
  const datasets = scratchFolder('retire')
  const folder = join(datasets, 'mesh-1')
  mkdirSync(join(folder, 'views'), { recursive: true })
  mkdirSync(join(datasets, 'new-2'))
  writeFileSync(join(folder, 'graph.gr'), 'graph')
  for (const [name, text] of [
    ['oriented-degree-0.view', '12345'],
    ['weight-ordered-random3-hash-0.view', '123'],
    ['oriented-ecl-0.view.partial-77-1', '1'],
    ['tiles-rcm.view', 'tiles'],
    ['tiles-rcm.view.sums', 'sums'],
  ] as const)
    writeFileSync(join(folder, 'views', name), text)
  expect(retireViews(datasets)).toEqual({ files: 3, bytes: 18 })
  expect(existsSync(join(folder, 'views'))).toBe(false)
  expect(readFileSync(join(folder, 'graph.gr'), 'utf8')).toBe('graph')
  expect(retireViews(datasets)).toEqual({ files: 0, bytes: 0 })
})
