export interface OptionChoice<V extends string = string> {
  readonly value: V
  readonly label: string
  /** One sentence. */
  readonly explanation: string
}

export interface OptionEntry {
  /** Its field in a request. */
  readonly name: string
  /** On the command line, with two hyphens. */
  readonly flag: string
  readonly label: string
  /** One sentence, for where the option stands. */
  readonly explanation: string
  readonly kind: 'choice' | 'integer' | 'number' | 'bytes' | 'seconds' | 'file' | 'text' | 'switch'
  readonly choices?: readonly OptionChoice[] | undefined
  /** Absent: the algorithm chooses, or nothing. */
  readonly default?: string | number | boolean | undefined
  /** Every request has it, so that its record says it; else only where it was given. */
  readonly recorded?: true
  readonly min?: number | undefined
  readonly max?: number | undefined
  /** Only where another option has one of these values. These values need an option that is a file. */
  readonly when?: { readonly option: string; readonly values: readonly string[] } | undefined
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

export function choice<const V extends string>(value: V, label: string, explanation: string): OptionChoice<V> {
  return { value, label, explanation }
}

export const counter = (name: string, label: string, unit: string, explanation: string): CounterEntry => ({
  name,
  label,
  unit,
  explanation,
})
