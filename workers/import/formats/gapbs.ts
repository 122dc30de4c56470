import type { WholeFormat } from './graph-format.ts'
import { countsFit, type CsrLayout, headerNumbers, numbers, requireLength } from './csr.ts'
import { readCsr } from './read-csr.ts'
import type { StoredFile } from './stored-file.ts'

const HEADER_BYTES = 17

/**
 * GAP benchmark suite graphs: u8 directed, i64 m, i64 n, i64 offsets [n + 1], then i32 targets [m] (.sg) or pairs of i32
 * target, i32 weight [m] (.wsg). The header has an odd length, so every array is unaligned. Files of directed graphs go on
 * with the incoming lists, which say the same again: i64 offsets [n + 1] and i32 targets (or pairs) [m].
 * @returns null when header and length do not fit.
 */
function layout(file: StoredFile): CsrLayout | null {
  const head = file.head(HEADER_BYTES)
  const directed = head[0]!
  const [arcs, vertices] = headerNumbers(head, 1, 2, 8) as [number, number]
  if (directed > 1 || !countsFit(vertices, arcs, file.bytes)) return null
  const targetsAt = HEADER_BYTES + 8 * (vertices + 1)
  const listsBytes = (stride: number) => 8 * (vertices + 1) + stride * arcs
  const stride = [4, 8].find((bytes) =>
    [1, 1 + directed].some((copies) => HEADER_BYTES + copies * listsBytes(bytes) === file.bytes),
  )
  if (stride === undefined) return null
  const offsets = { at: HEADER_BYTES, stride: 8, kind: 'i64', leading: true } as const
  if (numbers(file, offsets, 0, 1)[0] !== 0 || numbers(file, offsets, vertices, 1)[0] !== arcs) return null
  return {
    vertices,
    arcs,
    offsets,
    targets: { at: targetsAt, stride, kind: 'i32' },
    weights: stride === 8 && arcs > 0 ? { at: targetsAt + 4, stride: 8, kind: 'i32' } : null,
    warnings: directed === 1 ? ['the graph is directed; its incoming lists repeat the outgoing ones'] : [],
  }
}

export const gapbs: WholeFormat = {
  kind: 'whole',
  name: 'gapbs',
  written: ['sg', 'wsg'],
  words: {
    files: '`.sg`, `.wsg` (`sg`, `wsg` when written)',
    recognisedBy: 'the same',
    vertices: '0 to n - 1',
    notes: [
      '**GAPBS**: u8 directed, i64 m, i64 n, i64 offsets [n + 1], i32 targets [m], or i32 target and i32 weight. Incoming lists of directed graphs are not read, as they repeat the outgoing ones. `wsg` carries whole weights only.',
    ],
  },
  promisedBy: { ends: ['.sg', '.wsg'] },
  layout,
  read: (file, context) => readCsr(file, requireLength(file, layout(file), 'GAPBS (.sg or .wsg)'), context),
}
