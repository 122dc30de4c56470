import { OTHER_FORMAT } from '../../base/failure.ts'
import { lineFailure, MAX_VERTICES } from '../graph-reader.ts'
import { excerpt } from '../weight-policy.ts'

const layouts = ['coordinate', 'array'] as const
const fields = ['real', 'integer', 'complex', 'pattern'] as const
const symmetries = ['general', 'symmetric', 'skew-symmetric', 'hermitian'] as const

/** What the first line of a Matrix Market file says. */
export interface MatrixMarketBanner {
  readonly layout: (typeof layouts)[number]
  readonly field: (typeof fields)[number]
  readonly symmetry: (typeof symmetries)[number]
}

export interface MatrixSize {
  readonly rows: number
  readonly columns: number
  /** Values that the file is to hold. */
  readonly entries: number
}

/** @throws Failure (input) at line 1. */
export function parseBanner(source: string, text: string): MatrixMarketBanner {
  const [banner, object, layout, field, symmetry] = text.trim().toLowerCase().split(/\s+/)
  const fail = (what: string) =>
    lineFailure(source, 1, what, 'The first line reads: %%MatrixMarket matrix coordinate real general.', [OTHER_FORMAT])
  if (banner !== '%%matrixmarket') throw fail(`there is no Matrix Market banner but "${excerpt(text)}"`)
  if (object !== 'matrix') throw fail(`the banner names the object "${object ?? ''}"; only a matrix is a graph`)
  const pick = <T extends string>(word: string | undefined, known: readonly T[], noun: string): T => {
    const found = known.find((name) => name === word)
    if (found === undefined) throw fail(`the banner's ${noun} is "${word ?? ''}", not one of ${known.join(', ')}`)
    return found
  }
  const parsed = {
    layout: pick(layout, layouts, 'layout'),
    field: pick(field, fields, 'field'),
    symmetry: pick(symmetry, symmetries, 'symmetry'),
  }
  if (parsed.layout === 'array' && parsed.field === 'pattern') throw fail('an array of pattern holds no values')
  if (parsed.symmetry === 'hermitian' && parsed.field !== 'complex') throw fail('only complex matrices are hermitian')
  return parsed
}

/** The numbers of a size line, or null when `text` is not `count` non-negative integers. */
export function sizeNumbers(text: string, count: number): number[] | null {
  const words = text.trim().split(/\s+/)
  return words.length === count && words.every((word) => /^\d{1,16}$/.test(word)) ? words.map(Number) : null
}

/** @throws Failure (input) at `line` when the sizes do not fit together or there are too many vertices. */
export function checkedSize(source: string, line: number, banner: MatrixMarketBanner, numbers: number[]): MatrixSize {
  const [rows, columns] = numbers as [number, number]
  if (banner.symmetry !== 'general' && rows !== columns)
    throw lineFailure(
      source,
      line,
      `a ${banner.symmetry} matrix of ${rows} x ${columns} is not square`,
      'Mend the header.',
    )
  const vertices = rows === columns ? rows : rows + columns
  if (vertices > MAX_VERTICES)
    throw lineFailure(
      source,
      line,
      `${vertices} vertices are past the ${MAX_VERTICES} that ids have room for`,
      'Split the graph.',
    )
  return { rows, columns, entries: numbers[2] ?? arrayEntries(banner, rows, columns) }
}

function arrayEntries(banner: MatrixMarketBanner, rows: number, columns: number): number {
  if (banner.symmetry === 'general') return rows * columns
  return banner.symmetry === 'skew-symmetric' ? (rows * (rows - 1)) / 2 : (rows * (rows + 1)) / 2
}
