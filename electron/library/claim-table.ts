import type Database from 'better-sqlite3'
import { isAlive, thisOwner, type Owner } from './owner.ts'
import { inLibrary } from './storage-failure.ts'

interface Row {
  readonly owner_pid: number
  readonly owner_start: string | null
}

/** One process at a time does such work; claims of dead processes do not count. */
export class ClaimTable {
  readonly #database: Database.Database
  readonly #owner: Owner

  constructor(database: Database.Database, owner: Owner = thisOwner()) {
    this.#database = database
    this.#owner = owner
  }

  /** @returns another owner, if there is one */
  take(what: string): Owner | null {
    return inLibrary(this.#database.name, () =>
      this.#database
        .transaction(() => {
          const holder = this.holder(what)
          if (holder !== null) return holder
          this.#database
            .prepare('INSERT OR REPLACE INTO claims (what, owner_pid, owner_start) VALUES (@what, @pid, @start)')
            .run({ what, ...this.#owner })
          return null
        })
        .immediate(),
    )
  }

  holder(what: string): Owner | null {
    return inLibrary(this.#database.name, () => {
      const row = this.#database
        .prepare<[string], Row>('SELECT owner_pid, owner_start FROM claims WHERE what = ?')
        .get(what)
      const owner = row === undefined ? null : { pid: row.owner_pid, start: row.owner_start }
      return owner !== null && isAlive(owner) ? owner : null
    })
  }

  release(what: string): void {
    inLibrary(this.#database.name, () => this.#database.prepare('DELETE FROM claims WHERE what = ?').run(what))
  }
}
