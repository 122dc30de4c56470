import { z } from 'zod'
import { exportFormats, graphExportFormats } from '../../workers/contract/jobs.ts'

/** Of CSV: no cell begins as a formula does. */
const spreadsheetSafe = z.boolean().optional()

/** What the file's name begins with, where it is not the run's id. */
const stem = z.string().min(1).max(200).optional()

/** What a person wants to take out of the library. */
export const downloadRequestSchema = z.discriminatedUnion('what', [
  z.object({ what: z.literal('result'), run: z.string(), stem, format: z.enum(exportFormats), spreadsheetSafe }),
  z.object({ what: z.literal('record'), run: z.string(), stem }),
  z.object({
    what: z.literal('graph'),
    dataset: z.string(),
    format: z.enum(graphExportFormats),
    gzip: z.boolean().optional(),
    spreadsheetSafe,
  }),
  /** Text that the page made: a table as CSV, a chart as SVG; or bytes in base64: a chart as PNG. */
  z.object({
    what: z.literal('text'),
    fileName: z.string().min(1).max(200),
    text: z.string(),
    encoding: z.enum(['utf8', 'base64']).optional(),
  }),
])
export type DownloadRequest = z.infer<typeof downloadRequestSchema>

/** How it leaves: the window asks where to save it; a browser fetches it from these addresses, each once. */
export const downloadSchema = z.discriminatedUnion('how', [
  z.object({ how: z.literal('saved'), files: z.array(z.string()) }),
  z.object({ how: z.literal('cancelled') }),
  z.object({
    how: z.literal('download'),
    downloads: z.array(z.object({ url: z.string(), fileName: z.string(), bytes: z.number() })),
  }),
])
export type Download = z.infer<typeof downloadSchema>
