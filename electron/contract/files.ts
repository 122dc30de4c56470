import { z } from 'zod'
import { exportFormats } from '../../workers/contract/result.ts'
import { graphExportOptions } from '../../workers/contract/dataset.ts'
import { spreadsheetSafe } from '../../workers/contract/schema.ts'

/** A file that a browser sent, in place of a path: "upload:ID/NAME", so that people see a name. */
export const sentFile = {
  source: (id: string, name: string): string => `upload:${id}/${name}`,
  /** @returns null for a path */
  idOf: (source: string): string | null => /^upload:([^/]*)/.exec(source)?.[1] ?? null,
  /** The file's name; a path as it is. */
  shown: (source: string): string => source.replace(/^upload:[^/]*\//, ''),
}

const fileEntrySchema = z.object({
  name: z.string(),
  path: z.string(),
  kind: z.enum(['file', 'folder']),
  bytes: z.number().int().nonnegative(),
  /** ISO 8601, UTC. */
  modifiedAt: z.string(),
  format: z.string().optional(),
})
export type FileEntry = z.infer<typeof fileEntrySchema>

export const fileListSchema = z.lazy(() =>
  z.object({
    folder: z.string(),
    /** null at the root. */
    parent: z.string().nullable(),
    /** Home, library, working folder, roots of the disks. */
    places: z.array(z.object({ name: z.string(), path: z.string() })),
    /** Folders first, by name; without hidden ones. */
    entries: z.array(fileEntrySchema),
    truncated: z.boolean(),
  }),
)
export type FileList = z.infer<typeof fileListSchema>

/** Absent: the run's id. */
const stem = z.string().min(1).max(200).optional()

export const downloadRequestSchema = z.lazy(() =>
  z.discriminatedUnion('what', [
    z.object({ what: z.literal('result'), run: z.string(), stem, format: z.enum(exportFormats), spreadsheetSafe }),
    z.object({ what: z.literal('record'), run: z.string(), stem }),
    z.object({
      what: z.literal('graph'),
      dataset: z.string(),
      format: graphExportOptions.format,
      gzip: graphExportOptions.gzip,
      spreadsheetSafe,
    }),
    /** CSV or SVG text of the page, or PNG in base64. */
    z.object({
      what: z.literal('text'),
      fileName: z.string().min(1).max(200),
      text: z.string(),
      encoding: z.enum(['utf8', 'base64']).optional(),
    }),
  ]),
)
export type DownloadRequest = z.infer<typeof downloadRequestSchema>

/** The window asks where to save; a browser fetches each address once. */
export const downloadSchema = z.lazy(() =>
  z.discriminatedUnion('how', [
    z.object({ how: z.literal('saved'), files: z.array(z.string()) }),
    z.object({ how: z.literal('cancelled') }),
    z.object({
      how: z.literal('download'),
      downloads: z.array(z.object({ url: z.string(), fileName: z.string(), bytes: z.number() })),
    }),
  ]),
)
export type Download = z.infer<typeof downloadSchema>
