import type Database from 'better-sqlite3'
import { defaultSettings, settingsSchema, type Settings } from '../contract/settings.ts'
import { inLibrary, readRow } from './storage-failure.ts'

/** Without a row: the default. */
export class SettingsTable {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    this.#database = database
  }

  /** A value of another version counts as not chosen. */
  get(): Settings {
    return inLibrary(this.#database.name, () => {
      const rows = this.#database.prepare<[], { name: string; value: string }>('SELECT name, value FROM settings').all()
      const chosen: Record<string, unknown> = {}
      for (const { name, value } of rows) {
        const parsed = readRow(`setting ${name}`, (): unknown => JSON.parse(value))
        const known = settingsSchema.partial().safeParse({ [name]: parsed })
        if (known.success) Object.assign(chosen, known.data)
      }
      return { ...defaultSettings, ...chosen }
    })
  }

  /** All or none. */
  set(settings: { readonly [N in keyof Settings]?: Settings[N] | undefined }): Settings {
    inLibrary(this.#database.name, () => {
      const write = this.#database.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)')
      this.#database
        .transaction(() => {
          for (const [name, value] of Object.entries(settings))
            if (value !== undefined) write.run(name, JSON.stringify(value))
        })
        .immediate()
    })
    return this.get()
  }
}
