/** Words that threads share; zeros. */
export const sharedWords = (words: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * words))

/** Of a bitmap. */
export const bitWords = (bits: number): number => Math.ceil(bits / 32)
