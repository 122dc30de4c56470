/** Help, schemas and generators are made from this table. */
export interface GeneratorParameter {
  readonly explain: string
  readonly kind: 'integer' | 'number'
  readonly least: number
  readonly most: number
  /** Absent: required. */
  readonly standard?: number
}

export interface Generator {
  readonly explain: string
  readonly parameters: Readonly<Record<string, GeneratorParameter>>
}

const MOST_VERTICES = 2 ** 32 - 2
const whole = (explain: string, least: number, most: number): GeneratorParameter => ({
  explain,
  kind: 'integer',
  least,
  most,
})
const vertices = whole('make this many vertices', 1, MOST_VERTICES)
const side = (explain: string): GeneratorParameter => whole(explain, 1, MOST_VERTICES)
const meanDegree = (standard: number): GeneratorParameter => ({
  explain: 'aim at this mean degree',
  kind: 'number',
  least: 0,
  most: 2 ** 20,
  standard,
})
const inSpace = { width: side('vertices along x'), height: side('vertices along y'), depth: side('vertices along z') }

export const generators = {
  rmat: {
    explain: 'R-MAT with the Graph500 parameters 0.57, 0.19, 0.19, 0.05: few vertices of huge degree.',
    parameters: {
      scale: whole('make 2^n vertices', 0, 31),
      edgeFactor: {
        explain: 'draw this many edges for each vertex',
        kind: 'number',
        least: 0,
        most: 2 ** 16,
        standard: 16,
      },
    },
  },
  uniform: {
    explain: 'Both ends of every edge drawn with equal chances, as in GAP-urand.',
    parameters: { vertices, degree: meanDegree(8) },
  },
  kout: {
    explain: 'Every vertex draws the same number of neighbours: a mean degree without huge ones.',
    parameters: { vertices, degree: meanDegree(10) },
  },
  regular: {
    explain: 'Random cycles through all vertices on top of one another: no degree above the mean, rounded up to even.',
    parameters: { vertices, degree: meanDegree(4) },
  },
  grid: {
    explain: 'A grid in the plane; each vertex is joined to those above, below, left and right of it.',
    parameters: { rows: side('make this many rows'), columns: side('make this many columns') },
  },
  grid3: {
    explain: 'A grid in space; each vertex is joined to the six around it.',
    parameters: inSpace,
  },
  torus3: {
    explain: 'A grid in space whose opposite faces are joined: the lattice of spin glasses.',
    parameters: inSpace,
  },
  geometric: {
    explain: 'Points of the unit square, spread evenly at random, joined where they are close.',
    parameters: { vertices, degree: meanDegree(8) },
  },
  chains: {
    explain: 'Long paths with a few branches and ids in random order, like the k-mer graphs of genomes.',
    parameters: {
      vertices,
      length: { explain: 'mean length of a path', kind: 'number', least: 1, most: MOST_VERTICES, standard: 200 },
    },
  },
  star: {
    explain: 'One vertex joined to all others: the largest degree that there can be.',
    parameters: { vertices },
  },
  clique: {
    explain: 'Every vertex joined to every other: one member is all that a set can have.',
    parameters: { vertices },
  },
} as const satisfies Readonly<Record<string, Generator>>

export type GeneratorName = keyof typeof generators
export const generatorNames = Object.keys(generators) as readonly GeneratorName[]

export type GeneratorChoice = {
  [M in GeneratorName]: { readonly model: M } & {
    readonly [P in keyof (typeof generators)[M]['parameters']]: number
  }
}[GeneratorName]

export type GraphModel = GeneratorChoice & {
  readonly seed: number
  readonly shuffle?: boolean | undefined
  /** For buffers; absent: a quarter of the machine's. */
  readonly memoryBytes?: number | undefined
  readonly threads?: number | undefined
}

/** What is wrong with a value; null: nothing. */
export function faultOf(value: unknown, { kind, least, most }: Omit<GeneratorParameter, 'explain'>): string | null {
  const fits = typeof value === 'number' && value >= least && value <= most
  if (fits && (kind === 'number' || Number.isSafeInteger(value))) return null
  return `not a ${kind === 'integer' ? 'whole number' : 'number'} from ${least} to ${most}`
}
