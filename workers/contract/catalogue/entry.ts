export interface OptionChoice<V extends string = string> {
  readonly value: V
  readonly label: string
  readonly explanation: string
}

export interface OptionEntry {
  readonly name: string
  /** On the command line, with two hyphens. */
  readonly flag: string
  readonly label: string
  readonly explanation: string
  readonly kind: 'choice' | 'integer' | 'number' | 'bytes' | 'seconds' | 'file' | 'text' | 'switch'
  readonly choices?: readonly OptionChoice[] | undefined
  /** Absent: the algorithm chooses, or nothing. */
  readonly default?: string | number | boolean | undefined
  /** Every request has it, so that its record says it; else only where it was given. */
  readonly recorded?: true
  readonly min?: number | undefined
  readonly max?: number | undefined
  /** Only where another option has one of these values, which need an option that is a file. */
  readonly when?: { readonly option: string; readonly values: readonly string[] } | undefined
}

export interface CounterEntry {
  readonly name: string
  readonly label: string
  readonly unit: string
  readonly explanation: string
}

export interface FigureEntry extends CounterEntry {
  /** Found by the verifier. */
  readonly of?: 'verification' | undefined
}

/** What a result with a u32 for each vertex means. */
export interface ValuesEntry {
  readonly title: string
  /** The column of exported tables: "colour". */
  readonly column: string
  /** The same for people: "Colour". */
  readonly label: string
  /** `vertex`: internal ids, shown as labels. */
  readonly of: 'number' | 'vertex'
  /** What 2^32 - 1 says: "not reached"; absent: every vertex has a value. */
  readonly none?: string | undefined
  /** Values run from 0 to one less than the first figure. */
  readonly dense?: true | undefined
  /** What values 0, 1, ... are called, where they are no numbers. */
  readonly names?: readonly string[] | undefined
  /** The first one is the size of the result: "colours". */
  readonly figures: readonly FigureEntry[]
}

export interface AlgorithmEntry {
  readonly name: string
  readonly title: string
  readonly kind: 'independent-set' | 'matching' | 'values'
  /** Of results with a value for each vertex, and only there. */
  readonly values?: ValuesEntry | undefined
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
