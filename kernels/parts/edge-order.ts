import wgsl from './edge-order.wgsl?raw'

/** `integers`: a column of signed integers. */
export const edgeWeightRules = { unit: 0, column: 1, random3: 2, integers: 3 } as const
export const tieRules = { hash: 0, id: 1, degree: 2 } as const

/** workers/graph/edge-order.ts as the kernels take it. */
export interface EdgeOrderParams {
  readonly weights: number
  readonly ties: number
  readonly seedLow: number
  readonly seedHigh: number
  /** Smaller weight keys are left out. */
  readonly least: number
}

/** A shader is compiled for each. */
export type EdgeRule = Pick<EdgeOrderParams, 'weights' | 'ties'>

export const edgeOrderParams = ['seedLow', 'seedHigh', 'least'] as const

export const withEdgeOrder = (shader: string, { weights, ties }: EdgeRule): string =>
  [`const WEIGHTS = ${weights}u;`, `const TIES = ${ties}u;`, shader, wgsl].join('\n')

/** All bits of negative numbers flipped, the sign bit of others. */
export const ascendingBits = (bits: number): number => (bits >>> 31 === 1 ? ~bits : bits | 0x80000000) >>> 0
