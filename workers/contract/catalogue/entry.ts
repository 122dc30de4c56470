import type { RunArgs } from '../run.ts'

/** A field of a run that an option sets. */
export type OptionName = Exclude<
  keyof RunArgs,
  | 'folder'
  | 'checksum'
  | 'algorithm'
  | 'device'
  | 'resultFile'
  | 'checkpointFile'
  | 'checkpointEveryMs'
  | 'resume'
  | 'traceFile'
>

export interface OptionChoice {
  readonly value: string
  readonly label: string
  /** One sentence. */
  readonly explanation: string
}

export interface OptionEntry {
  readonly name: OptionName
  /** On the command line, with two hyphens. */
  readonly flag: string
  readonly label: string
  /** One sentence, for where the option stands. */
  readonly explanation: string
  readonly kind: 'choice' | 'integer' | 'number' | 'bytes' | 'file' | 'text' | 'switch'
  readonly choices?: readonly OptionChoice[] | undefined
  /** Absent: the algorithm chooses, or nothing. */
  readonly default?: string | number | boolean | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  /** Only where another option has one of these values. */
  readonly when?: { readonly option: OptionName; readonly values: readonly string[] } | undefined
}

export interface CounterEntry {
  readonly name: string
  readonly label: string
  /** "bytes", "ms", "%", or "" for a plain count. */
  readonly unit: string
  readonly explanation: string
}

export interface AlgorithmEntry {
  readonly name: string
  readonly title: string
  readonly kind: 'independent-set' | 'matching'
  readonly summary: string
  readonly whenToUse: string
  readonly paper: {
    readonly title: string
    readonly authors: string
    readonly venue: string
    readonly year: number
  }
  readonly options: readonly OptionEntry[]
  readonly counters: readonly CounterEntry[]
}
