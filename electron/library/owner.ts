import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { Table } from './table.ts'

/** `start` tells it from a later process of the same id. */
export interface Owner {
  readonly pid: number
  /** null where the system does not tell. */
  readonly start: string | null
}

/** The owner of a row with the columns `owner_pid` and `owner_start`. */
export const ownerOf = ({ owner_pid: pid, owner_start: start }: Readonly<Record<string, unknown>>): Owner => ({
  pid: Number(pid),
  start: start === null ? null : String(start),
})

export function thisOwner(): Owner {
  return { pid: process.pid, start: processStart(process.pid) }
}

/**
 * Where the start is unknown, any process with its id counts. A killed one that its parent has not noticed does not.
 */
export function isAlive(owner: Owner): boolean {
  if (['Z', 'X'].includes(linuxStat(owner.pid)[0] ?? '')) return false
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    // EPERM: another user's.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const start = processStart(owner.pid)
  return owner.start === null || start === null || start === owner.start
}

function processStart(pid: number): string | null {
  try {
    if (process.platform === 'darwin')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
    const ticks = linuxStat(pid)[19]
    return ticks === undefined ? null : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${ticks}`
  } catch {
    return null
  }
}

/** /proc/PID/stat from field 3, the state, on, as field 2 may hold spaces; 19 later: clock ticks from boot to start. */
function linuxStat(pid: number): readonly string[] {
  if (process.platform !== 'linux') return []
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

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
