import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { asFailure } from './failure.ts'
import { writeFully } from './file-bytes.ts'

/** A name for the unfinished file, which tells whether its process is alive. */
export const asidePath = (path: string): string =>
  `${path}.partial-${process.pid}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`

/** Has a file beside `path` filled, flushes it, and gives it its name. @throws Failure (storage) when the disk is full */
export function fillAside(path: string, fill: (file: number) => void): void {
  const aside = asidePath(path)
  try {
    mkdirSync(dirname(path), { recursive: true })
    const file = openSync(aside, 'wx')
    try {
      fill(file)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(aside, path)
  } catch (error) {
    rmSync(aside, { force: true })
    throw asFailure(error, path)
  }
}

/** Writes the chunks one after another into a file beside `path`, flushes it, and gives it its name. */
export function writeAside(path: string, chunks: Iterable<Uint8Array>): void {
  fillAside(path, (file) => {
    for (const chunk of chunks) writeFully(file, chunk, null, path)
  })
}
