import { type Fix, WITHOUT_WEIGHTS } from '../../base/failure.ts'
import type { TableOptions } from '../../contract/jobs.ts'
import { isWeightName } from '../../graph/table-names.ts'
import {
  decimalOf,
  type DecimalSign,
  isCommaNumber,
  isFilled,
  isMoment,
  isShownNumber,
  numberOfCell,
} from './table-numbers.ts'

export interface TableDoubt {
  readonly asks: 'header' | 'columns' | 'weights'
  readonly what: string
  readonly remedy: string
  readonly fixes: readonly Fix[]
}

interface TableWeights {
  readonly decimal: DecimalSign
  /** The column of weights holds numbers where it holds anything; the first line may have none. */
  readonly weighted: boolean
  readonly doubt: TableDoubt | null
}

export const column = (rows: readonly (readonly string[])[], at: number): string[] => rows.map((row) => row[at] ?? '')

/** How the weights are written; a doubt where they would be left out in silence, or may be read wrong. */
export function weightsOf(
  names: readonly string[] | null,
  rows: readonly (readonly string[])[],
  { sourceColumn, targetColumn, weightColumn, decimal: chosen = 'auto' }: TableOptions,
): TableWeights {
  const isChosen = (sourceColumn ?? targetColumn ?? weightColumn) !== undefined
  const byNumber = weightColumn !== undefined && /^\d+$/.test(weightColumn) ? Number(weightColumn) - 1 : -1
  const byName =
    weightColumn === undefined ? (names?.findIndex(isWeightName) ?? -1) : (names?.indexOf(weightColumn) ?? -1)
  const named = byName >= 0 ? byName : byNumber
  const at = named >= 0 ? named : isChosen ? -1 : 2
  const filled = at < 0 ? [] : column(rows, at).filter(isFilled)
  const found = chosen === 'auto' ? decimalOf(filled) : chosen
  const decimal = found ?? 'point'
  const isRead = (cell: string): boolean => !Number.isNaN(numberOfCell(cell, decimal))
  const weighted = named >= 0 ? filled.some(isRead) : filled.length > 0 && filled.every(isRead)
  if (named < 0 && filled.length > 2 && filled.every(isMoment))
    return { decimal, weighted, doubt: momentDoubt(filled[0]!) }
  const odd = filled.filter((cell) => !isRead(cell) || (found === null && isCommaNumber(cell)))
  // One word among many weights is a bad row, which the reader reports.
  const isWhole = named >= 0 ? odd.some(isShownNumber) || !weighted : filled.every(isShownNumber)
  const doubt = odd.length === 0 || !isWhole ? null : oddWeights(at, odd.find(isShownNumber) ?? odd[0]!)
  return { decimal, weighted, doubt }
}

const momentDoubt = (first: string): TableDoubt => ({
  asks: 'weights',
  what: `the third column holds times (${first}), and no weights`,
  remedy: '',
  fixes: [WITHOUT_WEIGHTS, { action: 'set', option: 'weightColumn', to: '3' }],
})

function oddWeights(at: number, odd: string): TableDoubt {
  const isOpen = isCommaNumber(odd)
  const comma = isOpen ? ', with a decimal comma or with thousands' : ''
  return {
    asks: 'weights',
    what: `the weights in column ${at + 1} are no numbers: "${odd.slice(0, 40)}"${comma}`,
    remedy: isOpen ? '' : 'Write them with a decimal point.',
    fixes: [
      ...(isOpen ? (['comma', 'point'] as const).map((to): Fix => ({ action: 'set', option: 'decimal', to })) : []),
      WITHOUT_WEIGHTS,
    ],
  }
}
