import wgsl from './edge-order.wgsl?raw'

/** How the kernels number what edges weigh; `integers` are those of a column that holds signed whole numbers. */
export const weightRules = { unit: 0, column: 1, random3: 2, integers: 3 } as const
/** How the kernels number the rules for ties. */
export const tieRules = { hash: 0, id: 1, degree: 2 } as const

/** An order of edges as the kernels take it (workers/graph/edge-order.ts defines it). */
export interface EdgeOrderParams {
  readonly weights: number
  readonly ties: number
  readonly seedLow: number
  readonly seedHigh: number
  /** Edges whose weight has a smaller key are left out. */
  readonly least: number
}

/** By what edges are compared: a shader is compiled for it. */
export type EdgeRule = Pick<EdgeOrderParams, 'weights' | 'ties'>

/** What a shader is told of the order when it is launched. */
export const edgeOrderParams = ['seedLow', 'seedHigh', 'least'] as const

/** A shader that compares edges with what it shares with the others; see edge-order.wgsl. */
export const withEdgeOrder = (shader: string, { weights, ties }: EdgeRule): string =>
  [`const WEIGHTS = ${weights}u;`, `const TIES = ${ties}u;`, shader, wgsl].join('\n')

/** The bits of an f32 so that larger numbers have larger words: all bits of negative ones flipped, the sign bit of the others. */
export const ascendingBits = (bits: number): number => (bits >>> 31 === 1 ? ~bits : bits | 0x80000000) >>> 0
