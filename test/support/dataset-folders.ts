import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type SmallGraph, writeGraphFolder } from './graphs.ts'

/** Dataset folders of one test file, gone after each test. */
export class Folders {
  readonly #folders: string[] = []

  constructor() {
    afterEach(() => this.#folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))
  }

  of(graph: SmallGraph): { folder: string; checksum: string } {
    const made = writeGraphFolder(graph)
    this.#folders.push(made.folder)
    return made
  }
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Gives the graph of a folder weights, which must be f32 exactly and the same both ways. */
export function addWeights(
  { folder }: { folder: string; checksum: string },
  graph: SmallGraph,
  weightOf: (u: number, v: number) => number,
): { folder: string; checksum: string } {
  const path = join(folder, 'graph.gr')
  const bytes = readFileSync(path)
  bytes.writeBigUInt64LE(4n, 8)
  const weights = new Float32Array(graph.neighbours.reduce((sum, list) => sum + list.length, 0))
  let end = 0
  graph.neighbours.forEach((list, u) => {
    for (const v of list) weights[end++] = weightOf(u, v)
  })
  const weighted = Buffer.concat([bytes, new Uint8Array(weights.buffer)])
  writeFileSync(path, weighted)
  return { folder, checksum: sha256(weighted) }
}
