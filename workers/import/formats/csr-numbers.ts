import { numberBytes } from '../../graph/number-kinds.ts'
import type { Section } from './csr-layout.ts'
import type { StoredFile } from './stored-file.ts'

const LIMB = 2 ** 32

/** `count` numbers of a section from number `first`, as doubles; whole numbers past 2^53 lose low bits, which no check passes. */
export function numbers(
  file: StoredFile,
  { at, stride, kind }: Section,
  first: number,
  count: number,
): Float64Array | Float32Array {
  if (count === 0) return new Float64Array(0)
  const width = numberBytes[kind]
  const bytes = file.read(at + first * stride, (count - 1) * stride + width)
  if (stride === width) return packed(bytes.buffer, kind)
  const values = new Float64Array(count)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < count; i++) values[i] = numberAt(view, i * stride, kind)
  return values
}

function packed(buffer: ArrayBuffer, kind: Section['kind']): Float64Array | Float32Array {
  switch (kind) {
    case 'i32':
      return new Float64Array(new Int32Array(buffer))
    case 'u32':
      return new Float64Array(new Uint32Array(buffer))
    case 'f32':
      return new Float32Array(buffer)
    case 'f64':
      return new Float64Array(buffer)
    case 'u64':
    case 'i64': {
      const halves = new Uint32Array(buffer)
      const values = new Float64Array(halves.length / 2)
      for (let i = 0; i < values.length; i++) {
        const high = halves[2 * i + 1]!
        values[i] = (kind === 'i64' ? high | 0 : high) * LIMB + halves[2 * i]!
      }
      return values
    }
  }
}

function numberAt(view: DataView, at: number, kind: Section['kind']): number {
  switch (kind) {
    case 'i32':
      return view.getInt32(at, true)
    case 'u32':
      return view.getUint32(at, true)
    case 'f32':
      return view.getFloat32(at, true)
    case 'f64':
      return view.getFloat64(at, true)
    case 'i64':
      return view.getInt32(at + 4, true) * LIMB + view.getUint32(at, true)
    case 'u64':
      return view.getUint32(at + 4, true) * LIMB + view.getUint32(at, true)
  }
}
