import type Database from 'better-sqlite3'
import { inLibrary } from './storage-failure.ts'

export type Row = Readonly<Record<string, unknown>>

/** Statements on the library's database. @throws Failure (storage) for each that fails */
export class Table {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    this.#database = database
  }

  protected all(sql: string, ...values: unknown[]): Row[] {
    return this.#work(() => this.#database.prepare<unknown[], Row>(sql).all(...values))
  }

  protected one(sql: string, ...values: unknown[]): Row | undefined {
    return this.#work(() => this.#database.prepare<unknown[], Row>(sql).get(...values))
  }

  protected run(sql: string, ...values: unknown[]): Database.RunResult {
    return this.#work(() => this.#database.prepare(sql).run(...values))
  }

  protected inTransaction<T>(work: () => T): T {
    return this.#work(() => this.#database.transaction(work).immediate())
  }

  #work<T>(work: () => T): T {
    return inLibrary(this.#database.name, work)
  }
}
