import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { asFailure, inputFailure } from '../../workers/base/failure.ts'

/**
 * The absolute path of a file to read; whether it is there, its reader says. What is no file is refused here: whoever opens a pipe
 * waits for its other end, and cannot be asked to stop.
 * @throws Failure (input)
 */
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
