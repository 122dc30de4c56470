/**
 * The graph models that can be generated, with their parameters, limits, explanations, and the name that a dataset gets: one table, from which
 * help, schemas, forms and documents are made, as catalogue.ts is for algorithms. It also names the papers' own graphs by their parameters.
 * Nothing here makes an arc: generate/graph-model.ts does.
 */

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
  /** The name of the dataset, with parameters in braces. */
  readonly called: string
  /** The seed only shuffles. */
  readonly isPattern?: boolean
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
    called: 'rmat-{scale}s-{edgeFactor}ef',
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
    called: 'uniform-{vertices}-d{degree}',
    parameters: { vertices, degree: meanDegree(8) },
  },
  kout: {
    explain: 'Every vertex draws the same number of neighbours: a mean degree without huge ones.',
    called: 'kout-{vertices}-d{degree}',
    parameters: { vertices, degree: meanDegree(10) },
  },
  regular: {
    explain: 'Random cycles through all vertices on top of one another: no degree above the mean, rounded up to even.',
    called: 'regular-{vertices}-d{degree}',
    parameters: { vertices, degree: meanDegree(4) },
  },
  grid: {
    explain: 'A grid in the plane; each vertex is joined to those above, below, left and right of it.',
    called: 'grid-{rows}x{columns}',
    isPattern: true,
    parameters: { rows: side('make this many rows'), columns: side('make this many columns') },
  },
  grid3: {
    explain: 'A grid in space; each vertex is joined to the six around it.',
    called: 'grid-{width}x{height}x{depth}',
    isPattern: true,
    parameters: inSpace,
  },
  torus3: {
    explain: 'A grid in space whose opposite faces are joined: the lattice of spin glasses.',
    called: 'torus-{width}x{height}x{depth}',
    isPattern: true,
    parameters: inSpace,
  },
  geometric: {
    explain: 'Points of the unit square, spread evenly at random, joined where they are close.',
    called: 'geometric-{vertices}-d{degree}',
    parameters: { vertices, degree: meanDegree(8) },
  },
  chains: {
    explain: 'Long paths with a few branches and ids in random order, like the k-mer graphs of genomes.',
    called: 'chains-{vertices}-l{length}',
    parameters: {
      vertices,
      length: { explain: 'mean length of a path', kind: 'number', least: 1, most: MOST_VERTICES, standard: 200 },
    },
  },
  star: {
    explain: 'One vertex joined to all others: the largest degree that there can be.',
    called: 'star-{vertices}',
    isPattern: true,
    parameters: { vertices },
  },
  clique: {
    explain: 'Every vertex joined to every other: one member is all that a set can have.',
    called: 'clique-{vertices}',
    isPattern: true,
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

export type ModelRequest = GeneratorChoice & {
  readonly seed: number
  readonly shuffle?: boolean | undefined
  /** Memory for buffers; absent: a quarter of the machine's. */
  readonly memoryBytes?: number | undefined
  readonly threads?: number | undefined
}

/** What its dataset is called. */
export function nameOfModel({ model, seed, shuffle = false, ...parameters }: ModelRequest): string {
  const { called, isPattern = false }: Generator = generators[model]
  const numbers: Readonly<Record<string, unknown>> = parameters
  const name = called.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => String(numbers[parameter]))
  return `${name}${shuffle ? '-shuffled' : ''}${seed === 1 || (isPattern && !shuffle) ? '' : `-seed${seed}`}`
}

/** How large a graph gets: edges as they are drawn, of which loops and those that were drawn already are left out. */
export function sizeOfModel(request: GeneratorChoice): { readonly vertices: number; readonly drawn: number } {
  switch (request.model) {
    case 'rmat':
      return { vertices: 2 ** request.scale, drawn: Math.round(request.edgeFactor * 2 ** request.scale) }
    case 'uniform':
    case 'kout':
    case 'regular':
      return { vertices: request.vertices, drawn: Math.round((request.vertices * request.degree) / 2) }
    case 'geometric':
      return { vertices: request.vertices, drawn: Math.ceil((request.vertices * request.degree) / 2) }
    case 'chains':
      return { vertices: request.vertices, drawn: request.vertices }
    case 'star':
      return { vertices: request.vertices, drawn: request.vertices - 1 }
    case 'clique':
      return { vertices: request.vertices, drawn: (request.vertices * (request.vertices - 1)) / 2 }
    case 'grid':
      return ofSpace(request.columns, request.rows, 1, 1)
    case 'grid3':
      return ofSpace(request.width, request.height, request.depth, 1)
    case 'torus3':
      return ofSpace(request.width, request.height, request.depth, 0)
  }
}

/** `open`: 1 where opposite faces are not joined. */
function ofSpace(x: number, y: number, z: number, open: 0 | 1): { readonly vertices: number; readonly drawn: number } {
  return { vertices: x * y * z, drawn: (x - open) * y * z + x * (y - open) * z + x * y * (z - open) }
}

/** What is wrong with a value; null: nothing. */
export function faultOf(value: unknown, { kind, least, most }: Omit<GeneratorParameter, 'explain'>): string | null {
  const fits = typeof value === 'number' && value >= least && value <= most
  if (fits && (kind === 'number' || Number.isSafeInteger(value))) return null
  return `not a ${kind === 'integer' ? 'whole number' : 'number'} from ${least} to ${most}`
}

export interface PaperInput {
  readonly name: string
  readonly paper: string
  readonly choice: GeneratorChoice
  /** Sizes as the paper's table says. */
  readonly vertices: number
  readonly arcs: number
  /** What differs from the paper's own. */
  readonly remark: string
}

const MG_MIS = 'MG-MIS (ICS 2025), table 1'
const ECL_MIS = 'ECL-MIS (TOPC 2018), table 1'
const LD_GPU = 'LD-GPU (SC 2024), table I'

const OTHER_SEED = 'the same model, parameters and size; other random numbers'
const LIKE_INDIGO = 'like the Indigo3 input: the same vertices, mean degree and about the same largest degree'

function graph500(scale: number, edgeFactor: number, arcs: number): PaperInput {
  const choice = { model: 'rmat', scale, edgeFactor } as const
  return { name: `g-${scale}s-${edgeFactor}ef`, paper: MG_MIS, choice, vertices: 2 ** scale, arcs, remark: OTHER_SEED }
}

function indigo(name: string, model: 'regular' | 'kout', vertices: number, arcs: number): PaperInput {
  const choice = { model, vertices, degree: arcs / vertices } as const
  return { name, paper: MG_MIS, choice, vertices, arcs, remark: LIKE_INDIGO }
}

export const paperInputs: readonly PaperInput[] = [
  graph500(25, 2, 133_516_554),
  graph500(28, 2, 1_070_786_720),
  graph500(26, 10, 1_322_545_710),
  graph500(26, 11, 1_453_274_642),
  graph500(26, 12, 1_583_792_718),
  graph500(26, 14, 1_844_210_488),
  graph500(26, 16, 2_103_844_848),
  graph500(26, 18, 2_362_730_378),
  graph500(26, 20, 2_620_933_926),
  graph500(27, 10, 2_652_246_640),
  graph500(29, 2, 2_142_721_430),
  graph500(27, 16, 4_223_282_274),
  graph500(28, 8, 4_259_434_956),
  graph500(29, 4, 4_278_119_462),
  graph500(30, 2, 4_287_290_382),
  indigo('i-30s-e-3.4b', 'regular', 2 ** 30, 3_393_687_134),
  indigo('i-27s-e-4.5b', 'regular', 2 ** 27, 4_478_382_004),
  indigo('i-31s-e-3.2b', 'regular', 1_600_000_000, 3_200_000_000),
  indigo('i-29s-e-5.4b', 'kout', 2 ** 29, 5_368_709_070),
  indigo('i-29s-e-5.9b', 'kout', 2 ** 29, 5_904_900_130),
  indigo('i-29s-e-6.4b', 'kout', 2 ** 29, 6_442_450_866),
  {
    name: '2d-2e20.sym',
    paper: ECL_MIS,
    choice: { model: 'grid', rows: 1024, columns: 1024 },
    vertices: 2 ** 20,
    arcs: 4_190_208,
    remark: 'the same graph, but for the order of its ids',
  },
  {
    name: 'r4-2e23.sym',
    paper: ECL_MIS,
    choice: { model: 'kout', vertices: 2 ** 23, degree: 8 },
    vertices: 2 ** 23,
    arcs: 67_108_846,
    remark: OTHER_SEED,
  },
  {
    name: 'rmat16.sym',
    paper: ECL_MIS,
    choice: { model: 'rmat', scale: 16, edgeFactor: 8 },
    vertices: 2 ** 16,
    arcs: 967_866,
    remark: 'the same size; Graph500 parameters, so the largest degree is larger',
  },
  {
    name: 'rmat22.sym',
    paper: ECL_MIS,
    choice: { model: 'rmat', scale: 22, edgeFactor: 8 },
    vertices: 2 ** 22,
    arcs: 65_660_814,
    remark: 'the same size; Graph500 parameters, so the largest degree is larger',
  },
  {
    name: 'kron_g500-logn21',
    paper: `${ECL_MIS}; TC-MIS, table 1`,
    choice: { model: 'rmat', scale: 21, edgeFactor: 48 },
    vertices: 2 ** 21,
    arcs: 182_081_864,
    remark: OTHER_SEED,
  },
  {
    name: 'GAP-urand',
    paper: LD_GPU,
    choice: { model: 'uniform', vertices: 2 ** 27, degree: 32 },
    vertices: 2 ** 27,
    arcs: 2 ** 32,
    remark: OTHER_SEED,
  },
  {
    name: 'GAP-kron',
    paper: LD_GPU,
    choice: { model: 'rmat', scale: 27, edgeFactor: 16 },
    vertices: 2 ** 27,
    arcs: 4_223_264_644,
    remark: `${OTHER_SEED}; the paper counts no isolated vertices`,
  },
]
