// A text edge list of an R-MAT graph, a function of its numbers.
import { closeSync, openSync, writeSync } from 'node:fs'

const ROOM_BYTES = 1 << 22

/** Words of 32 bits: xoshiro128**, seeded. */
function randomWords() {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0xdeadbeef]
  return () => {
    const five = Math.imul(b, 5)
    const result = Math.imul((five << 7) | (five >>> 25), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result >>> 0
  }
}

/** Writes `lines` edges (0.57, 0.19, 0.19, 0.05) with 2^scale scrambled ids, one "u v" a line. */
export function writeRmatText(path, lines, scale) {
  const next = randomWords()
  const [a, b, c] = [0.57, 0.76, 0.95].map((chance) => chance * 2 ** 16)
  const mask = 2 ** scale - 1
  const buffer = Buffer.alloc(ROOM_BYTES)
  let at = 0
  const number = (value) => {
    let unit = 1
    while (unit * 10 <= value) unit *= 10
    for (; unit >= 1; unit = Math.floor(unit / 10)) buffer[at++] = 48 + (Math.floor(value / unit) % 10)
  }
  const file = openSync(path, 'w')
  for (let i = 0; i < lines; i++) {
    let [u, v, word] = [0, 0, 0]
    for (let bit = 0; bit < scale; bit++) {
      word = bit % 2 === 0 ? next() : word >>> 16
      const x = word & 0xffff
      u = 2 * u + (x >= b ? 1 : 0)
      v = 2 * v + ((x >= a && x < b) || x >= c ? 1 : 0)
    }
    number(Math.imul(u, 0x9e3779b1) & mask)
    buffer[at++] = 32
    number(Math.imul(v, 0x9e3779b1) & mask)
    buffer[at++] = 10
    if (at < buffer.length - 64) continue
    writeSync(file, buffer, 0, at)
    at = 0
  }
  writeSync(file, buffer, 0, at)
  closeSync(file)
}
