import { z } from 'zod'

export const themes = ['system', 'light', 'dark'] as const
export const firstPages = ['library', 'new-run', 'runs', 'compare', 'explore', 'devices'] as const

/** What a person has chosen; kept in the library. */
export const settingsSchema = z.object({
  theme: z.enum(themes),
  /** A language tag such as "en"; pages fall back to English for those that they lack. */
  language: z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/),
  /** "auto", or devices with commas. A list that the machine lacks today is kept; a run with it says so. */
  defaultDevices: z.string().max(1000),
  /** Per device; null: as much as it can give. */
  defaultMemoryBytes: z.number().int().positive().nullable(),
  verifyByDefault: z.boolean(),
  /** The page that a start opens with. */
  openFirst: z.enum(firstPages),
  /** Whether the end of long work is told by the system, where the window is not in front. */
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
