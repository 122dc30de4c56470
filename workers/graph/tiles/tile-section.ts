import type { DamageWords } from '../../base/checked-file.ts'
import { Failure } from '../../base/failure.ts'

/** A part of a file of tiles: where it lies, and the CRC-32 of its bytes. */
export interface FileSection {
  readonly at: number
  readonly bytes: number
  readonly crc32: number
}

/** Fills `bytes` from byte `at` of a section on. */
export type SectionReader = (at: number, bytes: Uint8Array) => void

export const TILE_DAMAGE: DamageWords = {
  what: 'the file of tiles is damaged',
  remedy: 'Delete this file; the next run that needs it builds it again.',
}

/** Whether this says that the bytes of tiles are not those that were written. */
export function areDamagedTiles(error: unknown): error is Failure & { readonly where: string } {
  return error instanceof Failure && error.what.startsWith(TILE_DAMAGE.what) && error.where !== undefined
}
