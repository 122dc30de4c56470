import { closeSync, fstatSync, openSync } from 'node:fs'
import { asFailure, inputFailure } from '../failure.ts'
import { readFully } from './galois-gr.ts'

/**
 * Fills `bytes` with the result that a run wrote.
 * @param what what a file of another length is not: "the mates of 7 vertices"
 * @throws Failure (input) when the length does not fit the graph
 */
export function readResult(path: string, bytes: Uint8Array, what: string): void {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    throw asFailure(error, path)
  }
  try {
    const { size } = fstatSync(file)
    if (size !== bytes.length)
      throw inputFailure(path, `${size} bytes are not ${what}`, 'Is it the result of another dataset?')
    readFully(file, bytes, 0, path)
  } finally {
    closeSync(file)
  }
}
