import type Database from 'better-sqlite3'
import { isAlive, ownerOf, thisOwner, type Owner } from './owner.ts'
import { Table } from './table.ts'

/** One process at a time does such work; claims of dead processes do not count. */
export class ClaimTable extends Table {
  readonly #owner: Owner

  constructor(database: Database.Database, owner: Owner = thisOwner()) {
    super(database)
    this.#owner = owner
  }

  take(what: string): Owner | null {
    return this.inTransaction(() => {
      const holder = this.holder(what)
      if (holder === null)
        this.run('INSERT OR REPLACE INTO claims VALUES (@what, @pid, @start)', { what, ...this.#owner })
      return holder
    })
  }

  holder(what: string): Owner | null {
    const row = this.one('SELECT owner_pid, owner_start FROM claims WHERE what = ?', what)
    const owner = row === undefined ? null : ownerOf(row)
    return owner !== null && isAlive(owner) ? owner : null
  }

  release(what: string): void {
    this.run('DELETE FROM claims WHERE what = ?', what)
  }
}
