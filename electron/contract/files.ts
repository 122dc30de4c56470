import { z } from 'zod'

/** A file or folder of the machine that the program runs on. */
const fileEntrySchema = z.object({
  name: z.string(),
  /** Absolute. */
  path: z.string(),
  kind: z.enum(['file', 'folder']),
  bytes: z.number().int().nonnegative(),
  /** ISO 8601, UTC. */
  modifiedAt: z.string(),
  /** The format that the name suggests; the file itself was not looked at. Absent where it suggests none. */
  format: z.string().optional(),
})
export type FileEntry = z.infer<typeof fileEntrySchema>

export const fileListSchema = z.object({
  folder: z.string(),
  /** null at the root. */
  parent: z.string().nullable(),
  /** Where people keep graphs: their home, the library, the working folder, the roots of the disks. */
  places: z.array(z.object({ name: z.string(), path: z.string() })),
  /** Folders first, then files, both by name; hidden ones are left out. */
  entries: z.array(fileEntrySchema),
  /** Whether the folder holds more than are listed. */
  truncated: z.boolean(),
})
export type FileList = z.infer<typeof fileListSchema>
