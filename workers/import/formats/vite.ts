import type { WholeFormat } from './graph-format.ts'
import { countsFit, type CsrLayout, headerNumbers, numbers, requireLength } from './csr.ts'
import { readCsr } from './read-csr.ts'
import type { StoredFile } from './stored-file.ts'

const HEADER_BYTES = 16

/**
 * Vite and sumac binary: i64 n, i64 m, i64 offsets [n + 1], then pairs of i64 target and f64 weight [m].
 * @returns null when header and length do not fit.
 */
function layout(file: StoredFile): CsrLayout | null {
  const [vertices, arcs] = headerNumbers(file.head(HEADER_BYTES), 0, 2, 8) as [number, number]
  if (!countsFit(vertices, arcs, file.bytes)) return null
  const targetsAt = HEADER_BYTES + 8 * (vertices + 1)
  if (file.bytes !== targetsAt + 16 * arcs) return null
  const offsets = { at: HEADER_BYTES, stride: 8, kind: 'i64', leading: true } as const
  if (numbers(file, offsets, 0, 1)[0] !== 0 || numbers(file, offsets, vertices, 1)[0] !== arcs) return null
  return {
    vertices,
    arcs,
    offsets,
    targets: { at: targetsAt, stride: 16, kind: 'i64' },
    weights: arcs === 0 ? null : { at: targetsAt + 8, stride: 16, kind: 'f64' },
    warnings: [],
  }
}

export const vite: WholeFormat = {
  kind: 'whole',
  name: 'vite',
  written: ['vite'],
  words: {
    files: 'Vite, sumac',
    recognisedBy: 'the same',
    vertices: '0 to n - 1',
    notes: ['**Vite**: i64 n, i64 m, i64 offsets [n + 1], then i64 target and f64 weight [m].'],
  },
  promisedBy: { ends: ['.vite'] },
  sharedEnds: ['.bin'],
  layout,
  read: (file, context) => readCsr(file, requireLength(file, layout(file), 'Vite binary'), context),
}
