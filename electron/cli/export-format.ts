import { shortened } from '../../workers/base/output-file.ts'
import { exportFormats } from '../../workers/contract/jobs.ts'
import type { ExportFormat } from '../../workers/contract/jobs.ts'

/** The format that a file's extension asks for: .csv, .bits, .npy, .parquet; every other name gets one id a line. */
export function formatOfFile(file: string): ExportFormat {
  const extension = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase()
  return exportFormats.find((format) => format === extension) ?? 'ids'
}

const extensions: Readonly<Record<ExportFormat, string>> = {
  ids: 'txt',
  csv: 'csv',
  bits: 'bits',
  npy: 'npy',
  parquet: 'parquet',
  aggregate: 'aggregate.csv',
  classes: 'classes.txt',
  prolongation: 'prolongation.mtx',
}

/** Leaves room for what follows the name of a dataset, also in that of the record beside it. */
const NAME_BYTES = 180

/** Where a set goes when nobody says: "cities-10km-20261121-093601-7f3a.txt" in the working folder. */
export const defaultOutput = (dataset: string, run: string, format: ExportFormat): string =>
  `${shortened(dataset, NAME_BYTES, 'beginning')}-${run}.${extensions[format]}`
