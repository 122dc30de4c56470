import { expect, test } from 'vitest'
import { importCircles } from './circles.ts'
import { sourceFiles } from './source-files.ts'

test('no files of workers and kernels import each other in a circle, types counted', () => {
  const files = sourceFiles(['workers', 'kernels'], ['.ts'])
  expect(files.length).toBeGreaterThan(100)
  const circles = importCircles(files)
  expect(circles.map((circle) => `${circle.join(', ')} import each other: move what both need below them.`)).toEqual([])
})

test('a circle is found through any number of files, and by types alone', () => {
  const file = (path: string, ...targets: readonly string[]) => ({
    path: `workers/${path}.ts`,
    text: targets.map((target) => `import type { A } from './${target}.ts'\n`).join(''),
  })
  const files = [file('a', 'b'), file('b', 'c', 'd'), file('c', 'a'), file('d', 'e'), file('e'), file('f', 'a')]
  expect(importCircles(files)).toEqual([['workers/a.ts', 'workers/b.ts', 'workers/c.ts']])
})
