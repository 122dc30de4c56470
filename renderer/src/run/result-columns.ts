import { exactly } from '../quantity.ts'
import { words } from '../words/words.ts'
import type { AlgorithmEntry } from '../stores/algorithms.ts'
import type { AttributeNames, ResultRow, ResultTable } from './result-rows.ts'

const text = words.run.table

export type Order = Pick<ResultTable, 'sort' | 'attribute'>
type Cell = string | number | null

export interface ResultColumn {
  readonly key: string
  readonly title: string
  /** As a track of a grid. */
  readonly width: string
  readonly isNumber: boolean
  readonly sort?: Order | undefined
  readonly cell: (row: ResultRow) => Cell
  readonly text: (row: ResultRow) => string
  readonly exact: (row: ResultRow) => string
}

/** Wider, a text and the figures of its row are too far apart to be read together. */
const WIDE = 'minmax(96px, 460px)'
/** Of a label beside a name. */
const SHORT = 'minmax(72px, 160px)'
const narrow = (title: string): string => `${Math.max(84, Math.ceil(8 + 7.2 * title.length))}px`
/** Of a fraction; all of its digits are on hover, and in what is copied. */
const fraction = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 6 })

function column(
  key: string,
  title: string,
  cell: ResultColumn['cell'],
  more: { readonly isNumber?: boolean; readonly isShort?: boolean; readonly sort?: ResultColumn['sort'] } = {},
): ResultColumn {
  const { isNumber = false, isShort = false, sort } = more
  const words = (value: Cell, ofFraction: (value: number) => string): string => {
    if (typeof value !== 'number') return value ?? ''
    return Number.isInteger(value) ? exactly(value) : ofFraction(value)
  }
  return {
    ...{ key, title, isNumber, sort, cell },
    width: isNumber ? narrow(title) : isShort ? SHORT : WIDE,
    text: (row) => words(cell(row), fraction.format),
    exact: (row) => words(cell(row), String),
  }
}

const cellOf = (value: ResultRow['attributes'][number] | undefined): Cell =>
  typeof value === 'boolean' ? String(value) : (value ?? null)

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
      const more = {
        isNumber: kind === 'number',
        ...(isMate ? {} : { sort: { sort: 'attribute' as const, attribute } }),
      }
      const title = isMate ? text.ofMate(attribute) : attribute
      return i === named
        ? []
        : [column(`${isMate ? 'mate' : 'own'} ${attribute}`, title, (row) => cellOf(of(row)?.[i]), more)]
    })
  const name = (key: string, cell: ResultColumn['cell']): readonly ResultColumn[] =>
    hasNames ? [column(key, text.name, cell)] : []
  const ends = [
    column('vertex', text.vertex, ({ label }) => label, { isShort: hasNames, sort: { sort: 'id' } }),
    ...name('name', (row) => row.name),
    column('degree', text.degree, ({ degree }) => degree, { isNumber: true, sort: { sort: 'degree' } }),
    ...(values === undefined
      ? []
      : [column('value', values.label, ({ value }) => value, { isNumber: true, sort: { sort: 'value' } })]),
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
