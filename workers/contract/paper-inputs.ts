import type { GeneratorChoice } from './generators.ts'

export interface PaperInput {
  readonly name: string
  readonly paper: string
  readonly choice: GeneratorChoice
  /** As the paper's table says. */
  readonly vertices: number
  readonly arcs: number
  /** In what it differs from the paper's own. */
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
