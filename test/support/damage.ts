import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/** Ways to damage a file, each decided by a seed; what a disk, a network or a careless program does, and worse. */
export const damages = [
  'truncated',
  'bits flipped',
  'huge counts',
  'zeros',
  'garbage',
  'invalid UTF-8',
  'absurd numbers',
] as const

type Random = () => number

/** A damaged copy. Never the same as the original. */
export function damaged(bytes: Uint8Array, kind: (typeof damages)[number], random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const at = (limit: number) => Math.floor(random() * limit)
  switch (kind) {
    case 'truncated':
      return copy.subarray(0, 1 + at(copy.length - 1))
    case 'bits flipped':
      for (let i = 0; i < 1 + copy.length / 50; i++) copy[at(copy.length)]! ^= 1 << at(8)
      return copy
    case 'huge counts': {
      const place = 4 * at(Math.max(1, Math.min(8, copy.length >> 2)))
      copy.set([0xff, 0xff, 0xff, 0x7f].slice(0, copy.length - place), place)
      return copy
    }
    case 'zeros':
      return copy.fill(0, at(copy.length))
    case 'garbage':
      return copy.map((byte, i) => (i < 4 && random() < 0.5 ? byte : at(256)))
    case 'invalid UTF-8': {
      const place = at(copy.length)
      return Buffer.concat([copy.subarray(0, place), Uint8Array.of(0xc3, 0x28, 0xff), copy.subarray(place)])
    }
    case 'absurd numbers': {
      const text = Buffer.from(copy).toString('latin1')
      const numbers = ['-1', '1e400', '99999999999999999999', '4294967296', '0x10', '1.5.2', 'NaN']
      const found = [...text.matchAll(/\d+/g)]
      const match = found[at(found.length)]
      if (match === undefined) return copy.subarray(0, copy.length - 1)
      const changed = `${text.slice(0, match.index)}${numbers[at(numbers.length)]}${text.slice(match.index + match[0].length)}`
      return Buffer.from(changed, 'latin1')
    }
  }
}

/** Flips bits of a byte as it lies; a second time mends it. */
export function flipByte(path: string, at: number, bits = 1): void {
  const file = openSync(path, 'r+')
  const byte = new Uint8Array(1)
  readSync(file, byte, 0, 1, at)
  byte[0]! ^= bits
  writeSync(file, byte, 0, 1, at)
  closeSync(file)
}
