import type { BinaryReader } from './binary-reader.ts'
import { countsFit, type CsrLayout, headerNumbers, numbers, requireLength, weightKind, weightWarning } from './csr.ts'
import { readCsr } from './read-csr.ts'
import type { StoredFile } from './stored-file.ts'

/**
 * ECL graphs (.egr): i32 (or i64) n, m, offsets [n + 1], targets [m] and, where weighted, weights [m], all of one width.
 * There is no magic: the length and offsets[n] = m tell the widths apart.
 * @returns null when neither fits.
 */
export function eclLayout(file: StoredFile): CsrLayout | null {
  return eclLayoutOf(file, 4) ?? eclLayoutOf(file, 8)
}

function eclLayoutOf(file: StoredFile, width: 4 | 8): CsrLayout | null {
  const [vertices, arcs] = headerNumbers(file.head(2 * width), 0, 2, width) as [number, number]
  if (!countsFit(vertices, arcs, file.bytes)) return null
  const targetsAt = 2 * width + width * (vertices + 1)
  const weightsAt = targetsAt + width * arcs
  const weighted = file.bytes === weightsAt + width * arcs && arcs > 0
  if (!weighted && file.bytes !== weightsAt) return null
  const integer = width === 4 ? 'i32' : 'i64'
  const offsets = { at: 2 * width, stride: width, kind: integer, leading: true } as const
  if (numbers(file, offsets, 0, 1)[0] !== 0 || numbers(file, offsets, vertices, 1)[0] !== arcs) return null
  const kind = weighted ? weightKind(file, weightsAt, width, arcs) : null
  return {
    vertices,
    arcs,
    offsets,
    targets: { at: targetsAt, stride: width, kind: integer },
    weights: kind === null ? null : { at: weightsAt, stride: width, kind },
    warnings: kind === null ? [] : [weightWarning(kind)],
  }
}

export const readEcl: BinaryReader = (file, context) =>
  readCsr(file, requireLength(file, eclLayout(file), 'ECL (.egr, 32 or 64 bit)'), context)
