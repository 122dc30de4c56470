/**
 * The canonical graph as a file: Galois binary version 1, that is, header, end offsets, targets, padding, weights, little-endian; symmetric, no
 * loops, no duplicates, neighbours ascending. A dataset has it in its folder, or a link to a person's file that has this form already, with its
 * length and time, by which a change is noticed. galois-gr.ts opens it, import/ writes it.
 */

import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { FileSource } from '../base/byte-source.ts'
import { CheckedFile, type DamageWords } from '../base/checked-file.ts'
import { atPath, type Failure, inputFailure } from '../base/failure.ts'
import { writeFully } from '../base/file-bytes.ts'
import { quietJob } from '../base/job.ts'
import { readSealed, writeSealed } from '../base/output-file.ts'
import { readSums, sumFile, type Sums, SUMS_SUFFIX } from '../base/sums.ts'
import { LINK_FILE, PACKED_FILE } from '../contract/jobs.ts'
import { PackedSource } from './packed/packed-source.ts'
import { VALUES_FOOTER_BYTES, type ValuesPlace, valuesPlace } from './weight-values.ts'

/** A graph of any format: symmetric, no loops, no duplicates, neighbours ascending, little-endian. */
export interface GraphFile {
  readonly path: string
  readonly sumsPath: string
  /** The length of the canonical graph, wherever its bytes come from. */
  readonly bytes: number
  /** Whether the file is packed (packed/): all places below are those of the canonical graph, as {@link openBytes} gives it. */
  readonly isPacked?: true
  readonly vertices: number
  /** Twice the edges. */
  readonly arcs: number
  /** `leadingZero`: n + 1 offsets, from 0; else the n ends of the lists. */
  readonly offsets: { readonly at: number; readonly bytesEach: 4 | 8; readonly leadingZero: boolean }
  readonly targetsAt: number
  /** null for none. */
  readonly weights: { readonly at: number; readonly kind: WeightKind } | null
  /** The weights of the keys that stand for them; absent where weights are 32-bit floats. */
  readonly values?: ValuesPlace | undefined
}

type WeightKind = 'f32' | 'i32'

export const GRAPH_FILE = 'graph.gr'

/**
 * Galois binary graph, version 1: u64 version, u64 bytes of a weight (0 or 4), u64 n, u64 m, u64 end offsets [n] (no leading 0),
 * u32 targets [m], 4 bytes of padding where m is odd, f32 weights [m]. Where 32-bit floats do not hold the weights, a table of values
 * follows (workers/graph/weight-values.ts).
 */
export const GR_HEADER_BYTES = 32

interface GrLayout {
  readonly targetsAt: number
  readonly weightsAt: number
  readonly fileBytes: number
}

export function grLayout(vertices: number, arcs: number, weighted: boolean): GrLayout {
  const targetsAt = GR_HEADER_BYTES + 8 * vertices
  const weightsAt = targetsAt + 4 * (arcs + (arcs & 1))
  return { targetsAt, weightsAt, fileBytes: weightsAt + (weighted ? 4 * arcs : 0) }
}

export const GRAPH_DAMAGE: DamageWords = {
  what: 'the graph is damaged',
  remedy: 'Remove the dataset and import it again; check the disk if it happens again.',
}

export interface GraphFilePlace extends Pick<GraphFile, 'path' | 'sumsPath' | 'isPacked'> {
  readonly link?: GraphLink | undefined
}

export const packedPlace = (folder: string): GraphFilePlace => ({
  path: join(folder, PACKED_FILE),
  sumsPath: join(folder, `${GRAPH_FILE}${SUMS_SUFFIX}`),
  isPacked: true,
})

/** The raw graph counts where the packed one is there, too, as after a kill. @throws Failure (input) when the dataset has no graph */
export function graphPlace(folder: string): GraphFilePlace {
  const path = join(folder, GRAPH_FILE)
  if (existsSync(path)) return { path, sumsPath: `${path}${SUMS_SUFFIX}` }
  const packed = packedPlace(folder)
  if (existsSync(packed.path)) return packed
  const link = readLink(folder)
  if (link !== null) return { path: link.path, sumsPath: join(folder, LINK_SUMS), link }
  throw inputFailure(path, 'the graph of this dataset is gone', 'Remove the dataset, and import its file again.')
}

/** @param sums of the file, CRCs 0 where they are not known; absent: those beside it, else those of what it is now @throws Failure (input) when it is damaged */
export function openPlace(
  place: GraphFilePlace,
  given?: Pick<Sums, 'fileBytes' | 'crcs'> & Partial<Pick<Sums, 'root'>>,
): { readonly file: GraphFile; readonly checked: CheckedFile } {
  const { path, sumsPath, link, isPacked } = place
  const words = link === undefined ? GRAPH_DAMAGE : LINK_CHANGED
  const open = (): FileSource | PackedSource => openBytes(place)
  const sums = given ?? readSums(sumsPath) ?? sumFile(path, quietJob, false, open()).sums
  const checked = CheckedFile.open(path, sums, words, open)
  if (link !== undefined) return { file: { path, sumsPath, bytes: checked.bytes, ...link.layout }, checked }
  try {
    const header = checked.read(0, Math.min(GR_HEADER_BYTES, checked.bytes))
    const footerBytes = Math.min(VALUES_FOOTER_BYTES, checked.bytes)
    const layout = galoisLayout(header, checked.bytes, () => checked.read(checked.bytes - footerBytes, footerBytes))
    if (layout === null) throw checked.damaged('it is not a Galois graph of version 1 of the right length')
    const { source } = checked
    if (source instanceof PackedSource && sums.root !== undefined && source.index.identity !== sums.root)
      throw checked.damaged('it was packed from another graph')
    return { file: { path, sumsPath, bytes: checked.bytes, ...(isPacked && { isPacked }), ...layout }, checked }
  } catch (error) {
    checked.close()
    throw error
  }
}

/** The bytes of the canonical graph: those of the file, or what is unpacked from them. @throws Failure (input) when it is gone, or damaged */
export function openBytes({ path, isPacked }: Pick<GraphFile, 'path' | 'isPacked'>): FileSource | PackedSource {
  return isPacked === true ? new PackedSource(path) : new FileSource(path)
}

export function grHeader(vertices: number, arcs: number, weighted: boolean): Uint8Array {
  return new Uint8Array(BigUint64Array.of(1n, weighted ? 4n : 0n, BigInt(vertices), BigInt(arcs)).buffer)
}

/** Writes the header, with the padding behind the targets. @throws Failure (storage) */
export function writeGrHeader(file: number, path: string, vertices: number, arcs: number, weighted: boolean): void {
  writeFully(file, grHeader(vertices, arcs, weighted), 0, path)
  if (arcs % 2 === 1) writeFully(file, new Uint8Array(4), grLayout(vertices, arcs, weighted).weightsAt - 4, path)
}

/** @returns null where it does not explain the length */
function galoisLayout(
  header: Uint8Array,
  fileBytes: number,
  footer: () => Uint8Array,
): Omit<GraphFile, 'path' | 'sumsPath' | 'bytes'> | null {
  if (header.length < GR_HEADER_BYTES) return null
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  const number = (at: number): number => Number(view.getBigUint64(at, true))
  const [datumBytes, vertices, arcs] = [number(8), number(16), number(24)]
  const { targetsAt, weightsAt, fileBytes: expected } = grLayout(vertices, arcs, datumBytes === 4)
  if (number(0) !== 1 || (datumBytes !== 0 && datumBytes !== 4)) return null
  const values = fileBytes === expected ? undefined : valuesPlace(footer(), expected, fileBytes)
  if (values === null || (values !== undefined && datumBytes !== 4)) return null
  return {
    vertices,
    arcs,
    offsets: { at: GR_HEADER_BYTES, bytesEach: 8, leadingZero: false },
    targetsAt,
    weights: datumBytes === 4 ? { at: weightsAt, kind: 'f32' } : null,
    ...(values === undefined ? {} : { values }),
  }
}

export interface GraphLink {
  /** Absolute; of a copy in the dataset's folder its name there. */
  readonly path: string
  readonly bytes: number
  /** Nanoseconds. */
  readonly changedNs: string
  readonly layout: Omit<GraphFile, 'path' | 'sumsPath' | 'bytes'>
}

export const LINK_SUMS = `${LINK_FILE}.sums`

/** null for none. @throws Failure (input) where it is damaged */
export function readLink(folder: string): GraphLink | null {
  const path = join(folder, LINK_FILE)
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null
  const link = readSealed(path)
  if (link === undefined)
    throw inputFailure(path, 'the link of this dataset is damaged', 'Remove the dataset, and import its file again.')
  return { ...(link as GraphLink), path: resolve(folder, (link as GraphLink).path) }
}

/** @param into where the folder is for now @throws Failure (storage) */
export function writeLink(folder: string, link: GraphLink, into = folder): void {
  const isInside = dirname(link.path) === resolve(folder)
  writeSealed(join(into, LINK_FILE), { ...link, path: isInside ? basename(link.path) : link.path })
}

/** @throws Failure (input) */
export function stampOf(path: string): Pick<GraphLink, 'bytes' | 'changedNs'> {
  const { size, mtimeNs } = atPath(path, () => statSync(path, { bigint: true }))
  return { bytes: Number(size), changedNs: String(mtimeNs) }
}

/**
 * false where its time alone differs: its content decides. @throws Failure (input) when it is gone, or of another
 * length
 */
export function isUntouched({ path, bytes, changedNs }: GraphLink): boolean {
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw inputFailure(
      path,
      'the file that this dataset is linked to is gone',
      'Put it back, or remove the dataset and import the file from where it is now.',
    )
  const now = stampOf(path)
  if (now.bytes !== bytes) throw changedFile(path, `it has ${now.bytes} bytes, and had ${bytes}`)
  return now.changedNs === changedNs
}

/** @param how it changed: "it has 7 bytes, and had 8" */
export function changedFile(path: string, how: string): Failure {
  return inputFailure(path, `${LINK_CHANGED.what}: ${how}`, LINK_CHANGED.remedy)
}

export const LINK_CHANGED = {
  what: 'the file changed since it was linked',
  remedy: 'Put the old file back, or remove the dataset and import the file again; no answer was computed from it.',
}

/** Little-endian. */
export type NumberKind = 'i32' | 'u32' | 'f32' | 'i64' | 'u64' | 'f64'

export const numberBytes: Readonly<Record<NumberKind, 4 | 8>> = { i32: 4, u32: 4, f32: 4, i64: 8, u64: 8, f64: 8 }
