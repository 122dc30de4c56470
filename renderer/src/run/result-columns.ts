import type { Column } from '../base/column.ts'
import { exactly } from '../quantity.ts'
import { words } from '../words/words.ts'
import type { AlgorithmEntry } from '../stores/algorithms.ts'
import type { AttributeNames, ResultRow, ResultTable } from './result-rows.ts'

const text = words.run.table

type Cell = string | number | null

export interface ResultColumn extends Column<ResultRow> {
  readonly cell: (row: ResultRow) => Cell
}

/** Of a label beside a name. */
const SHORT = 120
const WIDE = 96
const narrow = (title: string): number => Math.max(84, Math.ceil(32 + 7.2 * title.length))
/** Of a fraction; all of its digits are on hover, and in what is copied. */
const fraction = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 6 })

function column(
  key: string,
  title: string,
  cell: ResultColumn['cell'],
  more: { readonly isNumber?: boolean; readonly isShort?: boolean; readonly sorts?: boolean } = {},
): ResultColumn {
  const { isNumber = false, isShort = false, sorts = false } = more
  const said = (value: Cell, ofFraction: (value: number) => string): string => {
    if (typeof value !== 'number') return value ?? ''
    return Number.isInteger(value) ? exactly(value) : ofFraction(value)
  }
  return {
    ...{ key, title, cell, align: isNumber ? 'end' : 'start', grow: !isNumber && !isShort },
    width: isNumber ? narrow(title) : isShort ? SHORT : WIDE,
    order: sorts ? cell : undefined,
    downFirst: isNumber && key !== 'value',
    text: (row) => said(cell(row), fraction.format),
    exact: (row) => said(cell(row), String),
  }
}

const cellOf = (value: ResultRow['attributes'][number] | undefined): Cell =>
  typeof value === 'boolean' ? String(value) : (value ?? null)

const OWN = 'own '

/** What a table asks for that is in the order of a column. */
export const orderBy = (key = 'vertex'): Pick<ResultTable, 'sort' | 'attribute'> =>
  key.startsWith(OWN)
    ? { sort: 'attribute', attribute: key.slice(OWN.length) }
    : { sort: key === 'degree' || key === 'value' ? key : 'id' }

const nameColumns = ['name', 'label', 'title']

export function tableColumns(
  isPairs: boolean,
  hasNames: boolean,
  values: AlgorithmEntry['values'] | undefined,
  { columns, edgeColumns }: AttributeNames,
): readonly ResultColumn[] {
  // The name has a column of its own.
  const named = hasNames
    ? columns.findIndex(({ name, kind }) => kind === 'text' && nameColumns.includes(name.toLowerCase()))
    : -1
  const attributes = (
    of: (row: ResultRow) => ResultRow['attributes'] | undefined,
    isMate: boolean,
  ): readonly ResultColumn[] =>
    columns.flatMap(({ name: attribute, kind }, i) => {
      const more = { isNumber: kind === 'number', sorts: !isMate }
      const title = isMate ? text.ofMate(attribute) : attribute
      return i === named
        ? []
        : [column(`${isMate ? 'mate ' : OWN}${attribute}`, title, (row) => cellOf(of(row)?.[i]), more)]
    })
  const name = (key: string, cell: ResultColumn['cell']): readonly ResultColumn[] =>
    hasNames ? [column(key, words.run.name, cell)] : []
  const ends = [
    column('vertex', text.vertex, ({ label }) => label, { isShort: hasNames, sorts: true }),
    ...name('name', (row) => row.name),
    column('degree', text.degree, ({ degree }) => degree, { isNumber: true, sorts: true }),
    ...(values === undefined
      ? []
      : [column('value', values.label, ({ value }) => value, { isNumber: true, sorts: true })]),
    ...attributes((row) => row.attributes, false),
  ]
  if (!isPairs) return ends
  return [
    ...ends,
    column('mate', text.mate, ({ mate }) => mate?.label ?? null, { isShort: hasNames }),
    ...name('mate-name', ({ mate }) => mate?.name ?? null),
    column('mate-degree', text.mateDegree, ({ mate }) => mate?.degree ?? null, { isNumber: true }),
    column('weight', text.weight, ({ mate }) => mate?.weight ?? null, { isNumber: true }),
    ...edgeColumns.map(({ name: attribute, kind }, i) =>
      column(`edge ${attribute}`, text.ofEdge(attribute), ({ mate }) => cellOf(mate?.ofEdge[i]), {
        isNumber: kind === 'number',
      }),
    ),
    ...attributes(({ mate }) => mate?.attributes, true),
  ]
}
