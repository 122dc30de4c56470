export { default as hashPart } from './vertex-hash.wgsl?raw'

export function shiftedHash(shifted: number): number {
  let x = shifted | 0
  x = Math.imul((x >>> 16) ^ x, 0x45d9f3b)
  x = Math.imul((x >>> 16) ^ x, 0x45d9f3b)
  return ((x >>> 16) ^ x) >>> 0
}
