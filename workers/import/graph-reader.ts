import { Failure, inputFailure } from '../base/failure.ts'
import type { Fix } from '../base/failure.ts'
import type { TableOptions } from '../contract/jobs.ts'
import type { EntryOutput } from '../graph/entries.ts'
import type { LabelTable } from './label-table.ts'
import type { PlainShape } from './plain-lines.ts'
import type { WeightPolicy } from './weight-policy.ts'

/** Which vertices there are, and what the ids in the entries mean. */
export type VertexSpace =
  /** Entries hold internal ids; all `vertices` exist; the label of v is v + base. */
  | { readonly kind: 'counted'; readonly vertices: number; readonly base: 0 | 1 }
  /** Entries hold labels as 64-bit numbers; the vertices are those that occur. */
  | { readonly kind: 'occurring' }
  /** Entries hold positions in a table of texts, in order of first appearance. */
  | { readonly kind: 'text'; readonly table: LabelTable }

export interface ReaderContext {
  /** The file as the user named it, for messages. */
  readonly source: string
  readonly output: EntryOutput
  readonly weights: WeightPolicy
  readonly ignoreWeights: boolean
  /** Memory that the import may use, all of it together. */
  readonly memoryBytes: number
  /** Which columns of a table make the graph, for formats that have columns. */
  readonly table?: TableOptions | undefined
  /** A table for texts that the driver may empty between two calls of `readLines`; absent: a reader makes its own. */
  readonly newTable?: (() => LabelTable) | undefined
}

export interface ReadOutcome {
  readonly vertices: VertexSpace
  readonly warnings: readonly string[]
  /** The two sides of a bipartite input. */
  readonly sides?: { readonly left: number; readonly right: number }
  /** Rows that a threshold left out. */
  readonly filtered?: number
  /** Whether a line of names stood above the entries of an edge list. */
  readonly named?: boolean
}

/** One file format. It parses whole lines from bytes into blocks of entries and knows nothing of what becomes of them. */
export interface GraphReader {
  /** Lines read so far. */
  readonly line: number
  /** Whether a line of names stands above the entries, once the first line was read; absent for formats that have none. */
  readonly named?: boolean
  /** Shape of the ordinary lines from here on, which other threads can parse; null or absent for none. */
  readonly plainShape?: PlainShape | null
  /**
   * Parses bytes [start, end), which end with a newline.
   * @throws Failure (input) that names file and line.
   */
  readLines(bytes: Uint8Array, start: number, end: number): void
  /** Counts ordinary lines that another thread parsed, in the order of the file. Absent: the reader parses all lines. @throws Failure (input) */
  tookLines?(lines: number, negatives: number): void
  /** After the last line: what was promised must have come. @throws Failure (input) */
  finish(): ReadOutcome
}

/** Thrown by a reader that took ids for integers and met a text: the file is to be read again from its start. */
export class TextIdsFound {
  readonly line: number
  readonly id: string

  constructor(line: number, id: string) {
    this.line = line
    this.id = id
  }
}

/** A failure at a line of the text. */
export function lineFailure(
  source: string,
  line: number,
  what: string,
  remedy: string,
  fixes?: readonly Fix[],
): Failure {
  return inputFailure(`${source}:${line}`, what, remedy, fixes)
}

/** Vertex ids are u32, and two values are kept for other uses. */
export const MAX_VERTICES = 2 ** 32 - 2

/** Part of an import's memory that what a reader keeps may take. */
export const READER_SHARE = 1 / 2

/**
 * @param what needs so many bytes at once, in words
 * @param instead what helps beside more memory
 * @throws Failure (usage) where the import may not use so many
 */
export function requireMemoryFor(
  { source, memoryBytes }: Pick<ReaderContext, 'source' | 'memoryBytes'>,
  bytes: number,
  what: string,
  instead = 'Write the graph as an edge list',
): void {
  if (bytes <= READER_SHARE * memoryBytes) return
  const mib = (size: number) => Math.ceil(size / 2 ** 20)
  throw new Failure({
    code: 'usage',
    where: source,
    what: `${what} takes ${mib(bytes)} MiB at once, and an import with ${mib(memoryBytes)} MiB keeps half of that`,
    remedy: `${instead}.`,
    fixes: [{ action: 'raise', option: 'memoryBytes', to: mib(bytes / READER_SHARE) * 2 ** 20 }],
  })
}
