import { openSync } from 'node:fs'
import { asFailure } from '../base/failure.ts'

/** @throws Failure (input) where it cannot be read */
export function openToRead(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw asFailure(error, path)
  }
}
