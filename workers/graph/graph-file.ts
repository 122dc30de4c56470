import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CheckedFile, type DamageWords } from '../base/checked-file.ts'
import { sumFile } from '../base/make-sums.ts'
import { readSums, SUMS_SUFFIX, type Sums } from '../base/sums.ts'
import { inputFailure } from '../base/failure.ts'
import { quietJob } from '../base/job.ts'
import { LINK_CHANGED, LINK_SUMS, type GraphLink, readLink } from './graph-link.ts'

/**
 * Where a canonical graph stands on disk, so that its readers need not know the format of the file: symmetric, without loops and
 * duplicates, neighbours ascending. All numbers are little-endian.
 */
export interface GraphFile {
  readonly path: string
  /** Where its sums are stored. */
  readonly sumsPath: string
  /** Of the file. */
  readonly bytes: number
  readonly vertices: number
  /** Directed arcs: twice the undirected edges. */
  readonly arcs: number
  /** u32 or u64. `leadingZero`: n + 1 offsets, from 0; else the n ends of the lists. */
  readonly offsets: { readonly at: number; readonly bytesEach: 4 | 8; readonly leadingZero: boolean }
  /** u32 [m]. */
  readonly targetsAt: number
  /** One of 32 bits for each arc; null where the graph has no weights. */
  readonly weights: { readonly at: number; readonly kind: WeightKind } | null
}

/** How a file keeps its weights: as floats, or as whole numbers. */
export type WeightKind = 'f32' | 'i32'

export const GRAPH_FILE = 'graph.gr'

/**
 * Galois binary graph, version 1, as datasets store their canonical graph: u64 version, u64 bytes per edge datum (0 or 4), u64 n,
 * u64 m, u64 end offsets [n] (no leading 0), u32 targets [m], 4 bytes of padding where m is odd, f32 edge data [m] where weighted.
 */
export const GR_HEADER_BYTES = 32

export interface GrLayout {
  readonly targetsAt: number
  readonly weightsAt: number
  readonly fileBytes: number
}

/** Byte positions of the sections of a version 1 file. */
export function grLayout(vertices: number, arcs: number, weighted: boolean): GrLayout {
  const targetsAt = GR_HEADER_BYTES + 8 * vertices
  const weightsAt = targetsAt + 4 * (arcs + (arcs & 1))
  return { targetsAt, weightsAt, fileBytes: weightsAt + (weighted ? 4 * arcs : 0) }
}

export const GRAPH_DAMAGE: DamageWords = {
  what: 'the graph is damaged',
  remedy: 'Remove the dataset and import it again; check the disk if it happens again.',
}

/** A file that holds a graph, and where its sums are. */
export interface GraphPlace extends Pick<GraphFile, 'path' | 'sumsPath'> {
  /** Of a file that stays where it is. */
  readonly link?: GraphLink | undefined
}

/** A graph that is open: what its bytes mean, and a reader that verifies them. */
export interface OpenedGraph {
  readonly file: GraphFile
  readonly checked: CheckedFile
}

/** @throws Failure (input) when the dataset has no graph */
export function graphPlace(folder: string): GraphPlace {
  const path = join(folder, GRAPH_FILE)
  if (existsSync(path)) return { path, sumsPath: `${path}${SUMS_SUFFIX}` }
  const link = readLink(folder)
  if (link !== null) return { path: link.path, sumsPath: join(folder, LINK_SUMS), link }
  throw inputFailure(path, 'the graph of this dataset is gone', 'Remove the dataset, and import its file again.')
}

/**
 * Opens a graph to be read.
 * @param sums what its bytes are compared with; absent: what is stored beside it, or, of a file without sums, what it is now
 * @throws Failure (input) when it is damaged
 */
export function openPlace({ path, sumsPath, link }: GraphPlace, sums?: Sums): OpenedGraph {
  const words = link === undefined ? GRAPH_DAMAGE : LINK_CHANGED
  const checked = CheckedFile.open(path, sums ?? readSums(sumsPath) ?? sumFile(path, quietJob).sums, words)
  if (link !== undefined) return { file: { path, sumsPath, bytes: checked.bytes, ...link.layout }, checked }
  try {
    const header = checked.read(0, Math.min(GR_HEADER_BYTES, checked.bytes))
    const layout = galoisLayout(header, checked.bytes)
    if (layout === null) throw checked.damaged('it is not a Galois graph of version 1 of the right length')
    return { file: { path, sumsPath, bytes: checked.bytes, ...layout }, checked }
  } catch (error) {
    checked.close()
    throw error
  }
}

/** @param header the first {@link GR_HEADER_BYTES} of the file. @returns null where it does not explain the length */
function galoisLayout(header: Uint8Array, fileBytes: number): Omit<GraphFile, 'path' | 'sumsPath' | 'bytes'> | null {
  if (header.length < GR_HEADER_BYTES) return null
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  const number = (at: number): number => Number(view.getBigUint64(at, true))
  const [datumBytes, vertices, arcs] = [number(8), number(16), number(24)]
  const { targetsAt, weightsAt, fileBytes: expected } = grLayout(vertices, arcs, datumBytes === 4)
  if (number(0) !== 1 || (datumBytes !== 0 && datumBytes !== 4) || fileBytes !== expected) return null
  return {
    vertices,
    arcs,
    offsets: { at: GR_HEADER_BYTES, bytesEach: 8, leadingZero: false },
    targetsAt,
    weights: datumBytes === 4 ? { at: weightsAt, kind: 'f32' } : null,
  }
}
