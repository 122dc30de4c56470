import { inputFailure } from '../base/failure.ts'
import type { AttributeValue } from '../contract/jobs.ts'
import { EXAMPLE, type Filter, type Literal, type Operator } from './attribute-filter.ts'

/** Columns that a filter names, each once. */
export function columnsOf(filter: Filter): string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return [...new Set(filter.parts.flatMap(columnsOf))]
    case 'not':
      return columnsOf(filter.part)
    case 'compare':
    case 'in':
    case 'empty':
      return [filter.column]
  }
}

/** Those that are compared with a number. */
export function numericColumns(filter: Filter): ReadonlySet<string> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return new Set(filter.parts.flatMap((part) => [...numericColumns(part)]))
    case 'not':
      return numericColumns(filter.part)
    case 'compare':
      return new Set(typeof filter.value === 'number' ? [filter.column] : [])
    case 'in':
      return new Set(filter.values.every((value) => typeof value === 'number') ? [filter.column] : [])
    case 'empty':
      return new Set()
  }
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
  const holds = testOf(operator, value)
  return (values) => {
    const found = values[at]
    if (isEmpty(found)) return false
    return holds(typeof value === 'number' && typeof found === 'string' ? Number(found) : found!)
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

function testOf(operator: Operator, value: Literal): (found: Literal) => boolean {
  switch (operator) {
    case '=':
    case '==':
      return (found) => found === value
    case '!=':
    case '<>':
      return (found) => found !== value
    case '<':
      return (found) => found < value
    case '<=':
      return (found) => found <= value
    case '>':
      return (found) => found > value
    case '>=':
      return (found) => found >= value
    case 'contains': {
      const wanted = String(value).toLowerCase()
      return (found) => String(found).toLowerCase().includes(wanted)
    }
  }
}
