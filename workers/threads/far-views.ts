/**
 * Typed arrays past 4 GiB between threads. Node gives another thread the shared memory itself, but cuts the place and the length of a view on it to
 * 32 bits (V8, ValueSerializer::WriteJSArrayBufferView): a view of 5 GiB arrives with 1 GiB, one that begins behind 4 GiB with other words. So such a
 * view travels as its memory, place and length, and is made anew where it arrives. Everything that the thread pool sends goes through here.
 */

const MOST_BYTES = 2 ** 32 - 1

interface FarView {
  readonly farView: 'Uint8Array' | 'Uint16Array' | 'Uint32Array' | 'Int32Array' | 'Float32Array' | 'Float64Array'
  readonly buffer: SharedArrayBuffer
  readonly byteOffset: number
  readonly length: number
}

const makers = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float32Array, Float64Array }

/** The value with its far views as memory, place and length; the same value where it has none. */
export const toPost = (value: unknown): unknown => replaced(value, packed)

/** What {@link toPost} made, as it was. */
export const fromPost = (value: unknown): unknown => replaced(value, unpacked)

function packed(value: object): object {
  if (!ArrayBuffer.isView(value) || !(value.buffer instanceof SharedArrayBuffer)) return value
  if (value.byteOffset <= MOST_BYTES && value.byteLength <= MOST_BYTES) return value
  const farView = value.constructor.name
  if (!isMade(farView)) throw new TypeError(`a ${farView} past 4 GiB cannot be sent to another thread`)
  const length = value.byteLength / makers[farView].BYTES_PER_ELEMENT
  return { farView, buffer: value.buffer, byteOffset: value.byteOffset, length } satisfies FarView
}

function unpacked(value: object): object {
  if (!('farView' in value)) return value
  const { farView, buffer, byteOffset, length } = value as FarView
  return Reflect.construct(makers[farView], [buffer, byteOffset, length]) as object
}

const isMade = (name: string): name is FarView['farView'] => name in makers

/** Plain objects and arrays are looked through; what has nothing to replace is not copied. */
function replaced(value: unknown, replace: (value: object) => object): unknown {
  if (typeof value !== 'object' || value === null) return value
  const other = replace(value)
  if (other !== value) return other
  if (Array.isArray(value)) {
    if (!value.some((each) => typeof each === 'object')) return value
    const all = value.map((each) => replaced(each, replace))
    return all.some((each, i) => each !== value[i]) ? all : value
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const changed = Object.entries(value).flatMap(([name, each]) => {
    const one = replaced(each, replace)
    return one === each ? [] : [[name, one] as const]
  })
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}
