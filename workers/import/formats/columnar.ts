import type { WholeFormat } from './graph-format.ts'

// The libraries are large: they are loaded when a file needs them.

export const parquet: WholeFormat = {
  kind: 'whole',
  name: 'parquet',
  written: ['parquet'],
  words: {
    files: '`.parquet`',
    recognisedBy: '`PAR1`',
    vertices: 'those that occur; integers or texts',
    notes: [
      '**Parquet, Arrow**: nulls and texts that are not UTF-8 are refused with their row, counted from 1. Compressed Arrow buffers: Zstandard only.',
    ],
  },
  magic: 'PAR1',
  read: async (file, context) => (await import('./read-parquet.ts')).readParquet(file, context),
  firstRows: async (file, most) => (await import('./read-parquet.ts')).firstParquetRows(file, most),
  allRows: async function* (file) {
    yield* (await import('./read-parquet.ts')).parquetRows(file)
  },
}

export const arrow: WholeFormat = {
  kind: 'whole',
  name: 'arrow',
  written: ['arrow'],
  words: {
    files: 'Arrow IPC, file and stream',
    recognisedBy: '`ARROW1`, or the marker of a stream',
    vertices: 'those that occur; integers or texts',
  },
  magic: 'ARROW1',
  recognise: (file) => {
    const head = file.head(8)
    const isStream = Buffer.from(head).toString('latin1').startsWith('\xff\xff\xff\xff') && head[7] === 0
    return isStream ? 'it begins with the marker of an Arrow stream' : null
  },
  read: async (file, context) => (await import('./read-arrow.ts')).readArrow(file, context),
  firstRows: async (file, most) => (await import('./read-arrow.ts')).firstArrowRows(file, most),
  allRows: async function* (file) {
    yield* (await import('./read-arrow.ts')).arrowRows(file)
  },
}
