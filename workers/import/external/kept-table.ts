import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WeightTable } from '../../graph/weight-values.ts'
import { bytesOf } from '../../base/words.ts'

const KEPT_TABLE = 'weight-table'

/** Keeps the weights of all keys for the end of the import, which may come after an interruption. */
export function writeKeptTable(folder: string, { keys, values }: WeightTable): void {
  writeFileSync(join(folder, KEPT_TABLE), Buffer.concat([bytesOf(values), bytesOf(keys)]))
}

/** Twelve bytes for each key: all weights, then all keys. */
export function readKeptTable(folder: string): WeightTable {
  const bytes = Uint8Array.from(readFileSync(join(folder, KEPT_TABLE))).buffer
  const count = bytes.byteLength / 12
  return { values: new Float64Array(bytes, 0, count), keys: new Float32Array(bytes, 8 * count, count) }
}
