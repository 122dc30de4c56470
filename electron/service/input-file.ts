import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { asFailure, inputFailure } from '../../workers/base/failure.ts'

/** Absolute. Opening a pipe would wait for its other end. @throws Failure (input) for what is no file */
export function inputFile(path: string): string {
  const file = resolve(path)
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined || found.isFile() || found.isDirectory()) return file
  } catch (error) {
    throw asFailure(error, path)
  }
  throw inputFailure(path, 'this is a pipe or a device, not a file', 'Save it to a file first.')
}
