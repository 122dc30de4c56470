import { runSchema, type Run } from '../contract/run.ts'
import type { Owner } from './owner.ts'
import { readRow } from './storage-failure.ts'

export type Row = Record<string, unknown>

const parsed = (column: unknown): unknown => (typeof column === 'string' ? JSON.parse(column) : null)

export const devicesOf = (row: Row): string[] => (typeof row['devices'] === 'string' ? row['devices'].split(',') : [])

export const ownerOf = (row: Row): Owner => ({
  pid: Number(row['owner_pid']),
  start: row['owner_start'] === null ? null : String(row['owner_start']),
})

/** `dataset_name` is today's. */
export function fromRow(row: Row): Run {
  return readRow(`run ${String(row['id'])}`, () => read(row))
}

function read(row: Row): Run {
  const request = runSchema.shape.request.parse(parsed(row['request']))
  return runSchema.parse({
    id: row['id'],
    datasetId: row['dataset_id'],
    dataset: row['dataset_name'] ?? request.dataset,
    name: row['name'],
    note: row['note'],
    starred: row['starred'] === 1,
    state: row['state'],
    algorithm: row['algorithm'],
    request,
    queue: {
      priority: row['queue_priority'],
      retries: row['retries'],
      attempts: row['attempts'],
      devices: row['devices'] === null ? null : devicesOf(row),
    },
    record: parsed(row['record']),
    failure: parsed(row['failure']),
    size: row['size'],
    hash: row['hash'],
    createdAt: row['created_at'],
    startedAt: row['started_at'],
    finishedAt: row['finished_at'],
  })
}
