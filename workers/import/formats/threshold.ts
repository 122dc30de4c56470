import { inputFailure } from '../../base/failure.ts'

type Operator = '<=' | '>=' | '!=' | '<' | '>' | '='

/** A condition on one column: rows for which it does not hold are no entries. */
export interface Threshold {
  readonly column: string
  readonly operator: Operator
  readonly number: number
}

/** Reads "weight>=0.9": column, operator, number. @throws Failure (input) in words. */
export function parseThreshold(text: string): Threshold {
  const [, column, operator, figure] = /^\s*(.+?)\s*(<=|>=|!=|==|<>|<|>|=)\s*(\S+)\s*$/.exec(text) ?? []
  const number = Number(figure)
  if (column === undefined || operator === undefined || !Number.isFinite(number))
    throw inputFailure(
      undefined,
      `the condition "${text}" cannot be read`,
      "Write a column, one of <, <=, =, !=, >=, > and a number: --where 'weight>=0.9'.",
    )
  const known = operator === '==' ? '=' : operator === '<>' ? '!=' : (operator as Operator)
  return { column, operator: known, number }
}

export function holds({ operator, number }: Threshold, value: number): boolean {
  switch (operator) {
    case '<':
      return value < number
    case '<=':
      return value <= number
    case '=':
      return value === number
    case '!=':
      return value !== number
    case '>=':
      return value >= number
    case '>':
      return value > number
  }
}
