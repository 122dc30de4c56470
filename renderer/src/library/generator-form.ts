import { generators } from '../../../electron/contract/generators.ts'

export interface GeneratorField {
  readonly key: string
  readonly label: string
  readonly explain: string
  readonly kind: 'integer' | 'number'
  readonly least: number
  readonly most: number
  readonly initial: number | null
}

export interface GeneratorForm {
  readonly explain: string
  readonly fields: readonly GeneratorField[]
}

/** Numbers to begin with, where the generator has none of its own: small enough for a second or two. */
const first: Readonly<Record<string, number>> = {
  scale: 16,
  vertices: 100_000,
  rows: 300,
  columns: 300,
  width: 40,
  height: 40,
  depth: 40,
}

/** A clique of a hundred thousand vertices would have five billion edges. */
const CLIQUE = 1000

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const spaced = (key: string): string => capitalised(key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))

interface Parameter {
  readonly explain: string
  readonly kind: 'integer' | 'number'
  readonly least: number
  readonly most: number
  readonly standard?: number
}

/** The fields of each generator, made from the table that the command line's help is made from. */
export const generatorForms: Readonly<Record<string, GeneratorForm>> = Object.fromEntries(
  Object.entries(generators).map(([model, { explain, parameters }]) => [
    model,
    {
      explain,
      fields: Object.entries<Parameter>(parameters).map(([key, { standard, explain: text, ...bounds }]) => ({
        ...bounds,
        key,
        label: spaced(key),
        explain: `${capitalised(text)}.`,
        initial: standard ?? (model === 'clique' ? CLIQUE : (first[key] ?? null)),
      })),
    },
  ]),
)
