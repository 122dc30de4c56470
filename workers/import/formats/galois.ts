import { numberBytes } from '../../graph/number-kinds.ts'
import type { WholeFormat } from './graph-format.ts'
import { countsFit, type CsrLayout, headerNumbers, requireLength, weightKind, weightWarning } from './csr.ts'
import { readCsr } from './read-csr.ts'
import type { StoredFile } from './stored-file.ts'

const HEADER_BYTES = 32

/**
 * Galois binary graphs: u64 version (1 or 2), u64 bytes per edge datum, u64 n, u64 m, u64 end offsets [n] (no leading 0),
 * u32 (version 1) or u64 (version 2) targets [m], 4 bytes of padding where that leaves the next section unaligned, edge data [m].
 * Some programs pad version 2 as if its targets had 32 bits, and some leave the padding of unweighted files out: the
 * file's length decides.
 * @returns null when header and length do not fit.
 */
function layout(file: StoredFile): CsrLayout | null {
  const [version, datumBytes, vertices, arcs] = headerNumbers(file.head(HEADER_BYTES), 0, 4, 8) as [
    number,
    number,
    number,
    number,
  ]
  if ((version !== 1 && version !== 2) || ![0, 4, 8].includes(datumBytes)) return null
  if (!countsFit(vertices, arcs, file.bytes)) return null
  const targetBytes = version === 1 ? 4 : 8
  const targetsAt = HEADER_BYTES + 8 * vertices
  const targetsEnd = targetsAt + targetBytes * arcs
  const padding = [0, 4].find((bytes) => targetsEnd + bytes + datumBytes * arcs === file.bytes)
  if (padding === undefined) return null
  const weightsAt = targetsEnd + padding
  const kind = datumBytes === 0 || arcs === 0 ? null : weightKind(file, weightsAt, datumBytes === 4 ? 4 : 8, arcs)
  return {
    vertices,
    arcs,
    offsets: { at: HEADER_BYTES, stride: 8, kind: 'u64', leading: false },
    targets: { at: targetsAt, stride: targetBytes, kind: version === 1 ? 'u32' : 'u64' },
    weights: kind === null ? null : { at: weightsAt, stride: numberBytes[kind], kind },
    warnings: kind === null ? [] : [weightWarning(kind)],
  }
}

export const galois: WholeFormat = {
  kind: 'whole',
  name: 'galois',
  written: ['galois', 'galois2'],
  words: {
    files: '`.gr` (`galois`, `galois2` when written)',
    recognisedBy: 'version 1 or 2, and a length that the header explains',
    vertices: '0 to n - 1',
    notes: [
      "**Galois**: u64 version, u64 bytes per edge datum (0, 4 or 8), u64 n, u64 m, u64 end offsets [n], u32 (version 1) or u64 (version 2) targets [m], 4 bytes of padding where m is odd, edge data [m]. Programs differ about the padding of version 2: the file's length decides.",
      'Galois and ECL do not say whether edge data are whole numbers or floats. Their values do: bit patterns below 2^23 are whole numbers. The report has a note.',
    ],
  },
  promisedBy: { ends: ['.gr', '.vgr', '.cgr', '.sgr'] },
  layout,
  read: (file, context) => readCsr(file, requireLength(file, layout(file), 'Galois binary (version 1 or 2)'), context),
}
