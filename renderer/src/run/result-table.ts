import { computed, onScopeDispose, reactive, shallowReactive, shallowRef, watch } from 'vue'
import type { CallArgs, CallResult } from '../../../electron/contract/calls.ts'
import type { Column, FarRows } from '../base/column.ts'
import { ask, type FailureValue, failureOf } from '../bridge.ts'
import { exactly } from '../quantity.ts'
import type { AlgorithmEntry } from '../stores/algorithms.ts'
import { words } from '../words/words.ts'

export type ResultRow = CallResult<'explore.result'>['rows'][number]
type Part = 'offset' | 'limit'
export type ResultTable = Omit<CallArgs<'explore.result'>, Part> | Omit<CallArgs<'explore.vertices'>, Part>

type AttributeNames = Pick<CallResult<'explore.result'>, 'columns' | 'edgeColumns'>

const PAGE = 200
const READ_TOGETHER = 1000
const PAUSE_MS = 200

/** The rows of a table of any length: the parts that come into sight are asked for, and kept until the table is another one. */
export function useResultRows(table: () => ResultTable) {
  const pages = shallowReactive(new Map<number, readonly ResultRow[]>())
  /** Rows of the whole table, null before it is known; whether a search found more than it gives. */
  const state = reactive({ total: null as number | null, truncated: false })
  const attributes = shallowRef<AttributeNames>({ columns: [], edgeColumns: [] })
  const failure = shallowRef<FailureValue | null>(null)
  const asked = new Map<number, Promise<void>>()
  let turn = 0
  let pause: ReturnType<typeof setTimeout> | undefined

  function bring(page: number): Promise<void> {
    const coming = asked.get(page) ?? read(page)
    asked.set(page, coming)
    return coming
  }

  async function read(page: number): Promise<void> {
    const mine = turn
    const [answer] = await Promise.allSettled([askPart(table(), PAGE * page, PAGE)])
    if (mine !== turn) return
    failure.value = answer.status === 'rejected' ? failureOf(answer.reason) : null
    // Of a table that is refused nothing is left of the one before: no count, no rows to copy or save.
    if (answer.status === 'rejected') return void Object.assign(state, { total: null, truncated: false })
    Object.assign(state, { total: answer.value.total, truncated: answer.value.truncated })
    attributes.value = answer.value
    pages.set(page, answer.value.rows)
  }

  function begin(): void {
    turn++
    asked.clear()
    pages.clear()
    failure.value = null
    void bring(0)
  }

  const beginSoon = (): void => {
    clearTimeout(pause)
    pause = setTimeout(begin, state.total === null ? 0 : PAUSE_MS)
  }
  watch(() => JSON.stringify(table()), beginSoon, { immediate: true })
  onScopeDispose(() => {
    turn++
    clearTimeout(pause)
  })

  const rowAt = (index: number): ResultRow | undefined => pages.get(Math.floor(index / PAGE))?.[index % PAGE]
  return {
    state,
    attributes,
    failure,
    rows: computed((): FarRows<ResultRow> => ({ of: JSON.stringify(table()), count: state.total ?? 0, at: rowAt })),
    rowAt,
    show: (first: number, last: number) => void pagesOf([first, last]).map(bring),
    firstRows: (most: number) => firstRows(table(), most),
    rowsAt: (places: readonly number[]): Promise<readonly ResultRow[]> =>
      Promise.all(pagesOf(places).map(bring)).then(() =>
        places.toSorted((a, b) => a - b).flatMap((index) => rowAt(index) ?? []),
      ),
  }
}

const askPart = (table: ResultTable, offset: number, limit: number): Promise<CallResult<'explore.result'>> =>
  'run' in table
    ? ask('explore.result', { ...table, offset, limit })
    : ask('explore.vertices', { ...table, offset, limit })

const pagesOf = (places: readonly number[]): readonly number[] => [
  ...new Set(places.map((index) => Math.floor(index / PAGE))),
]

/** How many there are the answers say: what is shown may be of another table still. */
async function firstRows(wanted: ResultTable, most: number): Promise<readonly ResultRow[]> {
  const rows: ResultRow[] = []
  for (let count = most; rows.length < count;) {
    const part = await askPart(wanted, rows.length, READ_TOGETHER)
    count = Math.min(most, part.total)
    if (part.rows.length === 0) break
    rows.push(...part.rows)
  }
  return rows.slice(0, most)
}

const text = words.run.table

type ResultColumn = Column<ResultRow>
type Cell = ReturnType<ResultColumn['cell']>

/** The width of a label beside a name. */
const SHORT = 120
const WIDE = 96
const narrow = (title: string): number => Math.max(84, Math.ceil(46 + 7.2 * title.length))
/** The form of a fraction; all of its digits are on hover, and in what is copied. */
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
