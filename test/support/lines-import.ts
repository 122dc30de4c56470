import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { quietJob } from '../../workers/base/job.ts'
import type { DatasetFacts, ImportArgs } from '../../workers/contract/jobs.ts'
import { importGraph } from '../../workers/import/import-graph.ts'
import type { LinesTuning } from '../../workers/import/reader/import-resources.ts'
import { importLines } from '../../workers/import/lines/import-lines.ts'
import { areLines, KnownFiles } from '../../workers/import/reading/known-file.ts'
import { sha256 } from './dataset-folders.ts'
import type { Workplace } from './ingest-cases.ts'

/** So small that a few lines lie in several pieces, and their arcs in several buckets. */
export const tuning: LinesTuning = { fromBytes: 0, rangeBytes: 97, bucketRecords: 40, partBytes: 60 }

export interface Made {
  readonly facts: DatasetFacts
  readonly folder: string
}

/** As it is, or compressed in one or several members that part somewhere in a line. */
export function packed(text: string, members: number): Buffer {
  const bytes = Buffer.from(text)
  if (members === 0) return bytes
  const each = Math.ceil(bytes.length / members)
  const parts = Array.from({ length: members }, (_, i) => gzipSync(bytes.subarray(i * each, (i + 1) * each)))
  return Buffer.concat(parts)
}

/** Everything that a dataset is, but for how long it took. */
export function content({ facts, folder }: Made) {
  const file = (name: string) => (existsSync(join(folder, name)) ? sha256(readFileSync(join(folder, name))) : null)
  const { elapsedMs: _ms, ...report } = facts.report
  const tables = ['vertices.arrow', 'edges.arrow', 'names']
  const names = ['graph.gr', 'graph.gr.sums', 'labels', 'labels.sums', ...tables]
  return { files: names.map(file), facts: { ...facts, report } }
}

/** What plain lines become in memory; null where the general way has to read them. */
export async function madeByLines(args: ImportArgs, lines: LinesTuning = {}): Promise<Made | null> {
  const files = new KnownFiles(args)
  const known = await files.first()
  const facts = areLines(known) ? await importLines(args, known, files, quietJob, performance.now(), { lines }) : null
  return facts === null || 'other' in facts ? null : { facts, folder: args.folder }
}

/** The two ways that lines become a dataset. */
export function importWays(work: Workplace) {
  async function general(source: string, options: Partial<ImportArgs>): Promise<Made> {
    const folder = work.newFolder()
    const facts = await importGraph({ source, folder, ...options }, quietJob, { lines: { fromBytes: Infinity } })
    return { facts, folder }
  }

  async function byLines(source: string, options: Partial<ImportArgs>): Promise<Made | null> {
    return madeByLines({ source, folder: work.newFolder(), ...options }, tuning)
  }

  return { general, byLines }
}
