import type { ReaderContext, ReadOutcome } from '../graph-reader.ts'
import type { StoredFile } from './stored-file.ts'

export interface BinaryContext extends ReaderContext {
  /** Hands full blocks on and rests; readers call it at least once per 2^18 entries, with the bytes read so far. */
  readonly pump: (readBytes: number) => Promise<void>
}

/** One binary format: reads a whole file into `context.output`. @throws Failure (input) at the file. */
export type BinaryReader = (file: StoredFile, context: BinaryContext) => Promise<ReadOutcome>
