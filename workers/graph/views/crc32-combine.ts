/**
 * The CRC-32 of two byte strings together from the CRC-32 of each and the length of the second, as in zlib's crc32_combine:
 * appending zero bytes is a linear map over GF(2), applied by repeated squaring. So threads check sums of parts of one file.
 */
export function combineCrc32(first: number, second: number, secondBytes: number): number {
  let crc = first
  for (let bytes = secondBytes, k = 0; bytes > 0; bytes = Math.floor(bytes / 2), k++)
    if (bytes % 2 === 1) crc = times(zeroBytes(k), crc)
  return (crc ^ second) >>> 0
}

/** The maps of 2^k zero bytes, made once: each is the one before it, twice. */
const powers: number[][] = []

function zeroBytes(k: number): number[] {
  for (let made = powers.length; made <= k; made++) {
    const half = powers[made - 1]
    powers.push(half === undefined ? zeroByte() : half.map((column) => times(half, column)))
  }
  return powers[k]!
}

/** The reflected polynomial of CRC-32 (IEEE 802.3). */
const POLYNOMIAL = 0xedb88320

/** The map of one zero byte: that of one zero bit, eight times; column i is the image of bit i. */
function zeroByte(): number[] {
  let map = Array.from({ length: 32 }, (_, bit) => (bit === 0 ? POLYNOMIAL : (1 << (bit - 1)) >>> 0))
  for (let doubling = 0; doubling < 3; doubling++) {
    const half = map
    map = half.map((column) => times(half, column))
  }
  return map
}

function times(columns: readonly number[], vector: number): number {
  let image = 0
  for (let bit = 0, rest = vector >>> 0; rest !== 0; bit++, rest >>>= 1) if (rest & 1) image ^= columns[bit]!
  return image >>> 0
}
