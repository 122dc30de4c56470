const MAGIC = Buffer.from('\u0093NUMPY\u0001\u0000', 'latin1')
const ALIGNMENT = 64

/** Header of a NumPy .npy file, version 1.0, for a one-dimensional array in C order: magic, length, dictionary, padding to 64 bytes. */
export function npyHeader(dtype: string, length: number): Uint8Array {
  const dictionary = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${length},), }`
  const unpadded = MAGIC.length + 2 + dictionary.length + 1
  const padding = (ALIGNMENT - (unpadded % ALIGNMENT)) % ALIGNMENT
  const text = Buffer.from(`${dictionary}${' '.repeat(padding)}\n`, 'latin1')
  const size = Buffer.alloc(2)
  size.writeUInt16LE(text.length)
  return Buffer.concat([MAGIC, size, text])
}
