import { z } from 'zod'

const fileEntrySchema = z.object({
  name: z.string(),
  /** Absolute. */
  path: z.string(),
  kind: z.enum(['file', 'folder']),
  bytes: z.number().int().nonnegative(),
  /** ISO 8601, UTC. */
  modifiedAt: z.string(),
  /** By the name. */
  format: z.string().optional(),
})
export type FileEntry = z.infer<typeof fileEntrySchema>

export const fileListSchema = z.object({
  folder: z.string(),
  /** null at the root. */
  parent: z.string().nullable(),
  /** Home, library, working folder, roots of the disks. */
  places: z.array(z.object({ name: z.string(), path: z.string() })),
  /** Folders first, by name; without hidden ones. */
  entries: z.array(fileEntrySchema),
  truncated: z.boolean(),
})
export type FileList = z.infer<typeof fileListSchema>
