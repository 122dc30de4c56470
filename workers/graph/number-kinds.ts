/** Numbers that a section of a file may hold, all little-endian. */
export type NumberKind = 'i32' | 'u32' | 'f32' | 'i64' | 'u64' | 'f64'

export const numberBytes: Readonly<Record<NumberKind, 4 | 8>> = { i32: 4, u32: 4, f32: 4, i64: 8, u64: 8, f64: 8 }
