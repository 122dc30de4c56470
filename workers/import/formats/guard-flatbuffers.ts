import { ByteBuffer } from 'flatbuffers'

/**
 * The metadata of Arrow messages are FlatBuffers, whose JavaScript reader believes every length: one flipped bit makes a list of
 * two billion entries that it then walks for a minute. No list is longer than the bytes that hold it, so any such length is
 * refused here, before anything is walked. Safe to call more than once.
 */
export function guardFlatBuffers(): void {
  const prototype = ByteBuffer.prototype as ByteBuffer & { guarded?: true }
  if (prototype.guarded === true) return
  const lengthAt = prototype.__vector_len
  prototype.__vector_len = function (this: ByteBuffer, offset: number): number {
    const length = lengthAt.call(this, offset)
    if (length >= 0 && length <= this.capacity()) return length
    throw new RangeError(`a list of ${length} entries in metadata of ${this.capacity()} bytes`)
  }
  prototype.guarded = true
}
