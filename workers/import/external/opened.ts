import { Failure } from '../../base/failure.ts'

/** What a task of a thread works with, which an earlier one opened. @throws Failure (engine) where none did */
export function opened<T>(part: T | null): T {
  if (part === null)
    throw new Failure({ code: 'engine', what: 'a task came out of order', remedy: 'Report this fault.' })
  return part
}
