import { defaultSettings, settingsSchema, type Settings } from '../contract/settings.ts'
import { readRow } from './storage-failure.ts'
import { Table } from './table.ts'

/** The settings; without a row, the default. */
export class SettingsTable extends Table {
  /** A value of another version counts as not chosen. */
  get(): Settings {
    const chosen: Record<string, unknown> = {}
    for (const { name, value } of this.all('SELECT name, value FROM settings')) {
      const parsed = readRow(`setting ${String(name)}`, (): unknown => JSON.parse(String(value)))
      const known = settingsSchema.partial().safeParse({ [String(name)]: parsed })
      if (known.success) Object.assign(chosen, known.data)
    }
    return { ...defaultSettings, ...chosen }
  }

  /** All or none. */
  set(settings: { readonly [N in keyof Settings]?: Settings[N] | undefined }): Settings {
    this.inTransaction(() => {
      for (const [name, value] of Object.entries(settings))
        if (value !== undefined) this.run('INSERT OR REPLACE INTO settings VALUES (?, ?)', name, JSON.stringify(value))
    })
    return this.get()
  }
}
