export { default as threefryPart } from './threefry.wgsl?raw'

const rotl = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits))

/** Rotations of eight rounds, two each. */
const ROTATIONS = Uint8Array.of(10, 26, 11, 21, 13, 27, 23, 5, 6, 20, 17, 11, 25, 10, 18, 20)
const ROUNDS = 13

/** Threefry-4x32-13 (Salmon et al., SC 2011); see threefry.wgsl. One object is used again and again: nothing is allocated for a draw. */
export class Threefry {
  /** The four words of the last draw. */
  readonly words = new Uint32Array(4)
  readonly #keys: Uint32Array

  constructor(key: readonly [number, number, number?, number?]) {
    const [a, b, c = 0, d = 0] = key
    this.#keys = Uint32Array.of(a, b, c, d, 0x1bd11bda ^ a ^ b ^ c ^ d)
  }

  draw(c0: number, c1: number, c2: number, c3: number): void {
    const keys = this.#keys
    let x = (c0 + keys[0]!) | 0
    let y = (c1 + keys[1]!) | 0
    let z = (c2 + keys[2]!) | 0
    let w = (c3 + keys[3]!) | 0
    for (let round = 0; round < ROUNDS; round++) {
      const a = ROTATIONS[2 * (round & 7)]!
      const b = ROTATIONS[2 * (round & 7) + 1]!
      if ((round & 1) === 0) {
        x = (x + y) | 0
        y = rotl(y, a) ^ x
        z = (z + w) | 0
        w = rotl(w, b) ^ z
      } else {
        x = (x + w) | 0
        w = rotl(w, a) ^ x
        z = (z + y) | 0
        y = rotl(y, b) ^ z
      }
      if ((round & 3) !== 3) continue
      const step = (round + 1) >>> 2
      x = (x + keys[step % 5]!) | 0
      y = (y + keys[(step + 1) % 5]!) | 0
      z = (z + keys[(step + 2) % 5]!) | 0
      w = (w + keys[(step + 3) % 5]! + step) | 0
    }
    const { words } = this
    words[0] = x
    words[1] = y
    words[2] = z
    words[3] = w
  }
}
