import { inputFailure } from '../base/failure.ts'
import type { AttributeValue } from '../contract/jobs.ts'
import { EXAMPLE, type Filter, type Literal, type Operator } from './attribute-filter.ts'

/** The conditions that a filter combines. */
function conditionsOf(filter: Filter): Exclude<Filter, { readonly kind: 'and' | 'or' | 'not' }>[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.flatMap(conditionsOf)
    case 'not':
      return conditionsOf(filter.part)
    case 'compare':
    case 'in':
    case 'empty':
      return [filter]
  }
}

/** Columns that a filter names, each once. */
export const columnsOf = (filter: Filter): string[] => [...new Set(conditionsOf(filter).map(({ column }) => column))]

/** Those that are compared with a number. */
export function numericColumns(filter: Filter): ReadonlySet<string> {
  const isNumeric = (values: readonly Literal[]): boolean => values.every((value) => typeof value === 'number')
  const numeric = conditionsOf(filter).filter((condition) => {
    return condition.kind === 'in'
      ? isNumeric(condition.values)
      : condition.kind === 'compare' && isNumeric([condition.value])
  })
  return new Set(numeric.map(({ column }) => column))
}

/** What a filter is asked of: the values of one row, in the order of {@link columnsOf}. */
export type Holds = (values: readonly AttributeValue[]) => boolean

/**
 * @param kinds of the columns of {@link columnsOf}
 * @throws Failure (input) where a value is of another kind than its column
 */
export function compileFilter(filter: Filter, kinds: readonly ColumnKind[]): Holds {
  const columns = columnsOf(filter)
  return compile(filter, (name) => ({ at: columns.indexOf(name), kind: kinds[columns.indexOf(name)]! }))
}

/** `any`: texts of a table, which are numbers where they are compared with one. */
export type ColumnKind = 'number' | 'text' | 'boolean' | 'any'

type Look = (name: string) => { readonly at: number; readonly kind: ColumnKind }

function compile(filter: Filter, look: Look): Holds {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.parts.map((part) => compile(part, look))
      return filter.kind === 'and'
        ? (values) => parts.every((holds) => holds(values))
        : (values) => parts.some((holds) => holds(values))
    }
    case 'not': {
      const part = compile(filter.part, look)
      return (values) => !part(values)
    }
    case 'empty': {
      const { at } = look(filter.column)
      return (values) => isEmpty(values[at])
    }
    case 'in': {
      const tests = filter.values.map((value) => comparison({ ...filter, operator: '=', value }, look))
      return (values) => tests.some((holds) => holds(values))
    }
    case 'compare':
      return comparison(filter, look)
  }
}

const isEmpty = (value: AttributeValue | undefined): boolean => value === null || value === undefined || value === ''

interface Comparison {
  readonly column: string
  readonly operator: Operator
  readonly value: Literal
}

/** Nothing is equal or unequal to an empty cell. */
function comparison({ column, operator, value }: Comparison, look: Look): Holds {
  const { at, kind } = look(column)
  requireKind({ column, operator, value }, kind)
  const holds = tests[operator]
  return (values) => {
    const found = values[at]
    if (isEmpty(found)) return false
    return holds(typeof value === 'number' && typeof found === 'string' ? Number(found) : found!, value)
  }
}

function requireKind({ column, operator, value }: Comparison, kind: ColumnKind): void {
  const isText = typeof value === 'string'
  const isOrder = ['<', '<=', '>', '>='].includes(operator)
  if ((operator === 'contains' || kind === 'text') && !isText)
    throw inputFailure(undefined, `the column "${column}" holds texts, and ${value} is none`, `Write '${value}'.`)
  if (kind === 'any' ? isOrder && isText : kind !== 'text' && typeof value !== kind)
    throw inputFailure(
      undefined,
      `the column "${column}" is compared with ${isText ? `the text '${value}'` : value}, and holds ${kind === 'boolean' ? 'true or false' : 'numbers'}`,
      EXAMPLE,
    )
  if (isOrder && typeof value !== 'number')
    throw inputFailure(undefined, `${operator} compares numbers, and "${column}" holds none`, 'Use = or !=.')
}

const tests: Readonly<Record<Operator, (found: Literal, value: Literal) => boolean>> = {
  '=': (found, value) => found === value,
  '!=': (found, value) => found !== value,
  '<': (found, value) => found < value,
  '<=': (found, value) => found <= value,
  '>': (found, value) => found > value,
  '>=': (found, value) => found >= value,
  contains: (found, value) => String(found).toLowerCase().includes(String(value).toLowerCase()),
}
