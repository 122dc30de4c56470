import { randomBytes } from 'node:crypto'

/** Short, sortable by time, and unlikely to be drawn twice: "20261121-093601-7f3a" (UTC). */
export function newRunId(now: Date = new Date()): string {
  const digits = now.toISOString().replace(/[-:]/g, '')
  return `${digits.slice(0, 8)}-${digits.slice(9, 15)}-${randomBytes(2).toString('hex')}`
}
