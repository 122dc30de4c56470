import { expect, test } from 'vitest'
import { fragmentsOf, functionsOf, linesOf } from './sizes.ts'
import { productFolders, sourceFiles } from './source-files.ts'

const MOST_LINES_A_FILE = 300
const MOST_LINES_A_FUNCTION = 60
/** The inner loop of the parser of plain lines: each of its steps may end it. */
const WHOLE = new Set(['workers/import/plain-lines.ts read'])
const FEW_LINES = 40
const MOST_FRAGMENTS = 40

test('no file is longer than 300 lines, and no function than 60', () => {
  const files = sourceFiles(productFolders, ['.ts', '.vue', '.wgsl'])
  expect(files.length).toBeGreaterThan(300)
  const long = files.filter(({ text }) => linesOf(text) > MOST_LINES_A_FILE)
  expect(long.map(({ path, text }) => `${path} has ${linesOf(text)} lines: find the idea that stands alone.`)).toEqual(
    [],
  )
  const functions = files
    .filter(({ path }) => path.endsWith('.ts'))
    .flatMap((file) => functionsOf(file).map((each) => ({ ...each, path: file.path })))
    .filter(({ path, name, lines }) => lines > MOST_LINES_A_FUNCTION && !WHOLE.has(`${path} ${name}`))
  expect(functions.map(({ path, line, name, lines }) => `${path}:${line} ${name} has ${lines} lines`)).toEqual([])
})

test('few files are the small half of another', () => {
  const fragments = fragmentsOf(sourceFiles(['workers'], ['.ts']), FEW_LINES)
  expect(fragments.length, fragments.join('\n')).toBeLessThanOrEqual(MOST_FRAGMENTS)
})

test('lengths of functions and halves of files are found', () => {
  const body = Array.from({ length: 61 }, (_, i) => `  const a${i} = ${i}`).join('\n')
  const text = `export function long(): void {\n${body}\n}\nexport const short = () => 1\n`
  expect(functionsOf({ path: 'a.ts', text }).map(({ name, lines }) => [name, lines])).toEqual([
    ['long', 63],
    ['a function', 1],
  ])
  const half = { path: 'workers/b.ts', text: 'export const b = 1\n' }
  const whole = { path: 'workers/a.ts', text: "import { b } from './b.ts'\n" }
  expect(fragmentsOf([half, whole], FEW_LINES)).toEqual(['workers/b.ts'])
  const other = { path: 'workers/c.ts', text: "import { b } from './b.ts'\n" }
  expect(fragmentsOf([half, whole, other], FEW_LINES)).toEqual([])
})
