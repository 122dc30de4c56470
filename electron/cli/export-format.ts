import { shortened } from '../../workers/base/output-file.ts'
import { exportFormats, resultEndings, type ExportFormat } from '../../workers/contract/export.ts'

export function formatOfFile(file: string): ExportFormat {
  const extension = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase()
  return exportFormats.find((format) => format === extension) ?? 'ids'
}

const NAME_BYTES = 180

export const defaultOutput = (dataset: string, run: string, format: ExportFormat): string =>
  `${shortened(dataset, NAME_BYTES, 'beginning')}-${run}.${resultEndings[format]}`
