import { LABELS_HEADER_BYTES, LABELS_MAGIC, labelKinds } from '../graph/labels.ts'

/** Texts by internal id, as the file `labels` holds them (workers/graph/labels.ts), in whatever order they are given. */
export function textFile(texts: readonly string[]): Uint8Array {
  const header = Buffer.alloc(LABELS_HEADER_BYTES)
  header.write(LABELS_MAGIC, 'latin1')
  header.writeUInt32LE(labelKinds.indexOf('text'), 8)
  header.writeBigUInt64LE(BigInt(texts.length), 16)
  const bytes = texts.map((text) => Buffer.from(text))
  const ends = Buffer.alloc(8 * texts.length)
  let end = 0
  bytes.forEach((text, i) => {
    end += text.length
    ends.writeBigUInt64LE(BigInt(end), 8 * i)
  })
  return Buffer.concat([header, ends, ...bytes])
}
