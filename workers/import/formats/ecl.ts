import type { WholeFormat } from './graph-format.ts'
import { countsFit, type CsrLayout, headerNumbers, numbers, requireLength, weightKind, weightWarning } from './csr.ts'
import { readCsr } from './read-csr.ts'
import type { StoredFile } from './stored-file.ts'

/**
 * ECL graphs (.egr): i32 (or i64) n, m, offsets [n + 1], targets [m] and, where weighted, weights [m], all of one width.
 * There is no magic: the length and offsets[n] = m tell the widths apart.
 * @returns null when neither fits.
 */
function layout(file: StoredFile): CsrLayout | null {
  return layoutOf(file, 4) ?? layoutOf(file, 8)
}

function layoutOf(file: StoredFile, width: 4 | 8): CsrLayout | null {
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

export const egr: WholeFormat = {
  kind: 'whole',
  name: 'egr',
  written: ['egr', 'egr64'],
  words: {
    files: '`.egr` (`egr`, `egr64` when written)',
    recognisedBy: 'a length that n and m explain, offsets[n] = m',
    vertices: '0 to n - 1',
    notes: [
      '**ECL**: i32 or i64 n, m, offsets [n + 1], targets [m], weights [m]. Written: whole weights as integers, others as floats of that width.',
    ],
  },
  promisedBy: { ends: ['.egr', '.egr64'] },
  layout,
  read: (file, context) => readCsr(file, requireLength(file, layout(file), 'ECL (.egr, 32 or 64 bit)'), context),
}
