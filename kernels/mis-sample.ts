/** What the kernels over an oriented view work on, small. */
export interface MisSample {
  readonly states: Uint32Array
  readonly heads: Uint32Array
  readonly tailOffsets: Uint32Array
  readonly tails: Uint32Array
  readonly vertices: Uint32Array
}

/** Vertices of the sample: several stretches of mis-heads. */
export const SAMPLE_VERTICES = 2048
const HEAD_WIDTH = 2
const NO_ENTRY = 0xffffffff
const MOST_TAILS = 8

/**
 * An oriented view whose vertices have none to ten entries, among them some that no head decides. Nobody asks for its set: a device
 * that compiles while it runs is warmed up with it, and devices are compared on it.
 */
export function misSample(): MisSample {
  const heads = new Uint32Array(HEAD_WIDTH * SAMPLE_VERTICES).fill(NO_ENTRY)
  const tailOffsets = new Uint32Array(SAMPLE_VERTICES + 1)
  const tails: number[] = []
  for (let p = 0; p < SAMPLE_VERTICES; p++) {
    const entries = p < 16 ? 0 : hash(p) % (HEAD_WIDTH + MOST_TAILS + 1)
    for (let cursor = 0; cursor < entries; cursor++) {
      const entry = hash(SAMPLE_VERTICES * cursor + p) % p
      if (cursor < HEAD_WIDTH) heads[HEAD_WIDTH * p + cursor] = entry
      else tails.push(entry)
    }
    tailOffsets[p + 1] = tails.length
  }
  const vertices = Uint32Array.from({ length: SAMPLE_VERTICES }, (_, v) => (1021 * v) % SAMPLE_VERTICES)
  const states = new Uint32Array(SAMPLE_VERTICES / 16)
  return { states, heads, tailOffsets, tails: Uint32Array.from(tails), vertices }
}

/** As h(v) of docs/architecture.md, to scatter. */
function hash(v: number): number {
  let x = v
  for (let i = 0; i < 2; i++) x = Math.imul((x >>> 16) ^ x, 0x45d9f3b)
  return ((x >>> 16) ^ x) >>> 0
}
