/** Built-in functions of WGSL (W3C, WebGPU Shading Language, section 17), as wgsl-program.ts calls them: those with a name of WGSL under that name. */
type Value = number | boolean | readonly Value[] | { readonly [field: string]: Value }

export function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => clone(each)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, clone(each)])) as T
}

function inside(length: number, at: number): void {
  if (!(at >= 0 && at < length)) throw new RangeError(`place ${at} of ${length}`)
}

/** @param component of a vector; -1: all of it */
export function load(buffer: Uint32Array, at: number, words: number, component: number): number | number[] {
  inside(buffer.length / words, at)
  if (words === 1) return buffer[at]!
  return component === -1 ? [...buffer.subarray(words * at, words * (at + 1))] : buffer[words * at + component]!
}

export function store(
  buffer: Uint32Array,
  at: number,
  value: number | number[],
  words: number,
  component: number,
): void {
  inside(buffer.length / words, at)
  if (typeof value === 'number') buffer[words * at + Math.max(0, component)] = value
  else buffer.set(value, words * at)
}

export function at<T>(values: readonly T[], place: number): T {
  inside(values.length, place)
  return values[place]!
}

type Memory = Record<string | number, number>

function swapped(memory: Memory, place: number, next: (value: number) => number): number {
  if (memory instanceof Uint32Array || Array.isArray(memory)) inside(memory.length as unknown as number, place)
  const before = memory[place]!
  memory[place] = next(before) >>> 0
  return before
}

export const atomicLoad = (memory: Memory, place: number): number => swapped(memory, place, (value) => value)
export const atomicStore = (memory: Memory, place: number, to: number): number => swapped(memory, place, () => to)
export const atomicAdd = (memory: Memory, place: number, by: number): number =>
  swapped(memory, place, (value) => value + by)
export const atomicSub = (memory: Memory, place: number, by: number): number =>
  swapped(memory, place, (value) => value - by)
export const atomicAnd = (memory: Memory, place: number, by: number): number =>
  swapped(memory, place, (value) => value & by)
export const atomicOr = (memory: Memory, place: number, by: number): number =>
  swapped(memory, place, (value) => value | by)
export const atomicXor = (memory: Memory, place: number, by: number): number =>
  swapped(memory, place, (value) => value ^ by)
export const atomicMin = (memory: Memory, place: number, by: number): number =>
  swapped(memory, place, (value) => Math.min(value, by))
export const atomicMax = (memory: Memory, place: number, by: number): number =>
  swapped(memory, place, (value) => Math.max(value, by))
export function atomicCompareExchangeWeak(memory: Memory, place: number, old: number, to: number) {
  const before = swapped(memory, place, (value) => (value === old ? to : value))
  return { _old_value: before, _exchanged: before === old }
}

/** A barrier on each side of the load. */
export function* uniformLoad(memory: Memory, place: number): Generator<number, number> {
  yield 1
  const value = clone(memory[place]!)
  yield 1
  return value
}

export function zip<A, B, C>(a: A | readonly A[], b: B | readonly B[], joined: (x: A, y: B) => C): C[] {
  const length = Array.isArray(a) ? a.length : (b as readonly B[]).length
  return Array.from({ length }, (_, i) =>
    joined(Array.isArray(a) ? (a[i] as A) : (a as A), Array.isArray(b) ? (b[i] as B) : (b as B)),
  )
}

export const quotient = (a: number, b: number): number => (b === 0 ? a : Math.trunc(a / b))
export const remainder = (a: number, b: number): number => (b === 0 ? 0 : a % b)

const words = new Uint32Array(1)
const views: Record<string, Uint32Array | Int32Array | Float32Array> = {
  u32: words,
  i32: new Int32Array(words.buffer),
  f32: new Float32Array(words.buffer),
}

export function bitcast(value: number, from: string, to: string): number {
  views[from]![0] = value
  return views[to]![0]!
}

const most = 2 ** 32 - 1
export const to_u32 = (value: number | boolean): number => Math.max(0, Math.min(most, Math.trunc(Number(value)))) >>> 0
export const to_i32 = (value: number | boolean): number => Math.trunc(Number(value)) | 0
export const to_f32 = (value: number | boolean): number => Math.fround(Number(value))

export const select = <T extends Value>(otherwise: T, chosen: T, when: boolean): T => (when ? chosen : otherwise)
export const any = (values: readonly boolean[]): boolean => values.includes(true)
export const all = (values: readonly boolean[]): boolean => !values.includes(false)
export const min = (a: number, b: number): number => Math.min(a, b)
export const max = (a: number, b: number): number => Math.max(a, b)
export const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)
export const abs = (value: number): number => Math.abs(value)
export const floor = (value: number): number => Math.floor(value)
export const fract = (value: number): number => Math.fround(value - Math.floor(value))
export const countLeadingZeros = (value: number): number => Math.clz32(value)
export const countTrailingZeros = (value: number): number => (value === 0 ? 32 : 31 - Math.clz32(value & -value))
export const firstTrailingBit = (value: number): number => (value === 0 ? most : 31 - Math.clz32(value & -value))
export function countOneBits(value: number): number {
  let bits = 0
  for (let rest = value >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) bits++
  return bits
}
