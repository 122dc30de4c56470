import { z } from 'zod'

export const themes = ['system', 'light', 'dark'] as const
export const firstPages = ['library', 'new-run', 'runs', 'compare', 'explore', 'devices'] as const

export const settingsSchema = z.object({
  theme: z.enum(themes),
  /** A language tag such as "en". */
  language: z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/),
  /** "auto", or ids with commas; also of devices that the machine lacks today. */
  defaultDevices: z.string().max(1000),
  /** Per device; null: as much as it can give. */
  defaultMemoryBytes: z.number().int().positive().nullable(),
  verifyByDefault: z.boolean(),
  openFirst: z.enum(firstPages),
  notifyWhenDone: z.boolean(),
})
export type Settings = z.infer<typeof settingsSchema>

export const defaultSettings: Settings = {
  theme: 'system',
  language: 'en',
  defaultDevices: 'auto',
  defaultMemoryBytes: null,
  verifyByDefault: true,
  openFirst: 'library',
  notifyWhenDone: true,
}

const count = z.number().int().nonnegative()

export const libraryStatusSchema = z.object({
  folder: z.string(),
  /** The version of the database's format. */
  version: count,
  freeBytes: count,
  /** Bytes of all datasets, and of all runs. */
  usedBytes: count,
  runBytes: count,
  datasets: count,
  runs: count,
  software: z.object({
    anticlique: z.string(),
    commit: z.string().nullable().optional(),
    node: z.string(),
    webgpu: z.string(),
    platform: z.string(),
  }),
  host: z.enum(['window', 'browser', 'program']),
})
export type LibraryStatus = z.infer<typeof libraryStatusSchema>
