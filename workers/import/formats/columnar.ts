import { chooseColumns, type ColumnChoice } from './column-choice.ts'
import { ColumnEntries, textOfCell } from './column-entries.ts'
import type { Cell, ColumnFile, WholeFormat } from './graph-format.ts'
import type { StoredFile } from './stored-file.ts'

type Open = (file: StoredFile) => Promise<ColumnFile>

/** An edge a row, in flat columns. */
const readColumns =
  (open: Open): WholeFormat['read'] =>
  async (file, context) => {
    const columns = await open(file)
    try {
      const { names } = columns
      const choice = chooseColumns(file.name, names, names.length, context.table ?? {}, context.ignoreWeights)
      const entries = new ColumnEntries(file.name, context, choice, names)
      let row = 0
      const wanted = columnsOf(choice, context.tap === undefined ? [] : entries.kept)
      for await (const { count, at, readBytes } of columns.rows(wanted, { context })) {
        for (let i = 0; i < count; i++) entries.add(++row, (column) => at(column, i))
        await context.pump(readBytes)
      }
      return entries.finish()
    } finally {
      await columns.close()
    }
  }

function columnsOf({ source, target, weight, where }: ColumnChoice, kept: readonly number[]): number[] {
  return [...new Set([source, target, ...(weight === null ? [] : [weight]), ...(where?.columns ?? []), ...kept])]
}

const firstRowsOf =
  (open: Open): NonNullable<WholeFormat['firstRows']> =>
  async (file, most) => {
    const columns = await open(file)
    try {
      const names = [...columns.names]
      const cellsAt = (at: (column: number, row: number) => Cell, row: number) =>
        names.map((_, column) => textOfCell(at(column, row)))
      for await (const { count, at } of columns.rows([...names.keys()], { most }))
        return { names, rows: Array.from({ length: Math.min(most, count) }, (_, row) => cellsAt(at, row)) }
      return { names, rows: [] }
    } finally {
      await columns.close()
    }
  }

const columnar = (open: Open) => ({ columns: open, read: readColumns(open), firstRows: firstRowsOf(open) })

// The libraries are large: they are loaded when a file needs them.

export const parquet: WholeFormat = {
  kind: 'whole',
  name: 'parquet',
  magic: 'PAR1',
  ...columnar(async (file) => (await import('./read-parquet.ts')).openParquet(file)),
}

export const arrow: WholeFormat = {
  kind: 'whole',
  name: 'arrow',
  magic: 'ARROW1',
  recognise: (file) => {
    const head = file.head(8)
    const isStream = Buffer.from(head).toString('latin1').startsWith('\xff\xff\xff\xff') && head[7] === 0
    return isStream ? 'it begins with the marker of an Arrow stream' : null
  },
  ...columnar(async (file) => (await import('./read-arrow.ts')).openArrow(file)),
}
