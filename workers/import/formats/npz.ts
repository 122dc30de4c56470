/**
 * Arrays of NumPy (NEP 1): matrices that scipy.sparse saves as `.npz` (csr, csc, coo), by names and shapes of the arrays, and lists of edges, as
 * `edge_index` of PyTorch Geometric and OGB, in `.npy` and `.npz`. Whole numbers stay exact; complex values are their moduli; a mask counts what is
 * stored and false, which is no edge. Archives are opened by yauzl, and checksums compared; numbers stream, so memory holds a piece of each array,
 * and of csr and csc the pointers. matrix-market.ts says what a matrix is as a graph.
 */

import { counted } from '../../base/counted.ts'
import { crc32 } from 'node:zlib'
import { basename } from 'node:path'
import type { Entry, ZipFile } from 'yauzl'
import { bufferOf } from '../../base/words.ts'
import { Failure, inputFailure } from '../../base/failure.ts'
import { MAX_VERTICES, requireMemoryFor, type ReaderContext, type WholeReading } from '../reader/graph-reader.ts'
import { asNumbers } from './csr.ts'
import type { WholeFormat } from './graph-format.ts'
import { graphNumber, otherNumber } from './graph-number.ts'
import { matrixOutcome } from './matrix-market.ts'
import type { StoredFile } from './stored-file.ts'

const PIECE = 1 << 16
const MOST_MEMBERS = 64

type Arrays = Awaited<ReturnType<typeof openArrays>>

/** Arrays of an archive, by name. @throws Failure (input) */
async function openArrays(file: StoredFile) {
  const { openPromise } = await import('yauzl')
  const zip = await file.sound('the list of its members', () =>
    openPromise(file.path, { lazyEntries: true, autoClose: false }),
  )
  const entries = new Map<string, Entry>()
  const opened = new Map<string, NpyNumbers>()
  const close = async (): Promise<void> => {
    for (const numbers of opened.values()) await numbers.close().catch(() => {})
    zip.close()
  }
  try {
    if (zip.entryCount > MOST_MEMBERS) throw file.damaged(`it has ${zip.entryCount} members`)
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.replace(/\.npy$/, ''), entry)
  } catch (error) {
    await close()
    throw error instanceof Failure ? error : file.damaged('the list of its members cannot be read')
  }
  // A sparse matrix of rows among features and classes, as the collections of graph learning have it.
  if (!entries.has('format'))
    for (const name of ['data', 'indices', 'indptr', 'shape']) {
      const entry = entries.get(`adj_${name}`)
      if (entry !== undefined && !entries.has(name)) entries.set(name, entry)
    }
  const open = async (name: string): Promise<NpyNumbers> => {
    const entry = entries.get(name)
    if (entry === undefined) throw file.damaged(`there is no array "${name}" in it`)
    const numbers = opened.get(name) ?? (await openNumbers(file, memberOf(file, zip, entry)))
    opened.set(name, numbers)
    if (numbers.sizes.length > 1) throw file.damaged(`${name} has ${numbers.sizes.length} dimensions, not one`)
    return numbers
  }
  /** Anew each time, as two parts of a list of edges are read at once. */
  const openAnew = (name: string): Promise<NpyNumbers> => openNumbers(file, memberOf(file, zip, entries.get(name)!))
  /** Opens an array of whole numbers. */
  const openWhole = async (name: string): Promise<NpyNumbers> => {
    const numbers = await open(name)
    if (/^[iu]/.test(numbers.type)) return numbers
    throw file.damaged(`${numbers.name} holds the type ${numbers.type}, and places are whole numbers`)
  }
  const names = [...entries.keys()]
  return { file, names, has: (name: string) => entries.has(name), open, openAnew, openWhole, close }
}

const layouts = ['csr', 'csc', 'coo'] as const
type Matrix = Awaited<ReturnType<typeof matrixOf>>

async function matrixOf(members: Arrays) {
  const { file } = members
  const isOfRows = !members.has('format') && members.has('adj_indptr')
  if (!(members.has('format') || isOfRows) || !members.has('shape'))
    throw inputFailure(
      file.name,
      'this archive of NumPy holds no matrix of scipy.sparse and no list of edges (edge_index)',
      'Write it with scipy.sparse.save_npz, or the list of edges as numpy.save("edge_index.npy", edges).',
    )
  const layout = isOfRows ? 'csr' : await (await members.open('format')).text()
  const found = layouts.find((each) => each === layout)
  if (found === undefined)
    throw inputFailure(
      file.name,
      `the matrix is of the layout "${layout.slice(0, 20)}", and read are ${layouts.join(', ')}`,
      'Write matrix.tocsr().',
    )
  const shape = await members.openWhole('shape')
  if (shape.length !== 2)
    throw inputFailure(file.name, `it has ${shape.length} dimensions, and a graph two`, 'Write a matrix.')
  const [rows, columns] = Array.from(await shape.take(2)) as [number, number]
  const vertices = rows === columns ? rows : rows + columns
  if (!(rows >= 0 && columns >= 0 && vertices <= MAX_VERTICES))
    throw inputFailure(file.name, `a matrix of ${rows} by ${columns} has more vertices than ids`, 'Split the graph.')
  return { layout: found, rows, columns }
}

/** Takes a row, a column and a value. @param isMask counts what is stored and false, which is no edge */
function entryWriter(file: StoredFile, { output, weights }: ReaderContext, { rows, columns }: Matrix, isMask: boolean) {
  const offset = rows === columns ? 0 : rows
  const written = { entries: 0, zeros: 0 }
  const add = (row: number, column: number, value: number): void => {
    written.entries++
    if (!(row >= 0 && row < rows && column >= 0 && column < columns))
      throw inputFailure(
        file.name,
        `entry ${written.entries} is in row ${row}, column ${column} of a matrix of ${rows} by ${columns}`,
        'Is the file damaged?',
      )
    if (isMask && value === 0) return void written.zeros++
    const place = (): string => `${file.name}, entry (${row}, ${column})`
    const weight = output.weighted ? weights.apply(value, place, String(value)) : 1
    if (weight !== null) output.add(row, offset + column, weight)
  }
  return { written, add }
}

/** Reads where the next entries are. @returns the row and the column of each of them, by its number; called in order */
type Places = (count: number) => Promise<(i: number) => readonly [row: number, column: number]>

/** Places by rows, or by columns if `layout` is csc; ends of lists ascend to their number. */
async function compressedPlaces(
  members: Arrays,
  { layout, rows, columns }: Matrix,
  context: ReaderContext,
): Promise<Places> {
  const { file } = members
  const lists = layout === 'csr' ? rows : columns
  const pointers = await members.openWhole('indptr')
  if (pointers.length !== lists + 1) throw file.damaged(`indptr has ${pointers.length} numbers, not ${lists + 1}`)
  requireMemoryFor(context, 8 * pointers.length, 'the pointers of the matrix', 'Write matrix.tocoo()')
  const ends = await pointers.take(pointers.length)
  const indices = await members.openWhole('indices')
  if (ends[0] !== 0 || ends[lists] !== indices.length)
    throw file.damaged(`indptr runs from ${ends[0]} to ${ends[lists]}, not from 0 to ${indices.length}`)
  for (let i = 0; i < lists; i++) if (!(ends[i]! <= ends[i + 1]!)) throw file.damaged('indptr descends')
  let [list, entry] = [0, 0]
  return async (count) => {
    const others = await indices.take(count)
    return (i) => {
      while (entry >= ends[list + 1]!) list++
      entry++
      return layout === 'csr' ? [list, others[i]!] : [others[i]!, list]
    }
  }
}

async function triplePlaces(members: Arrays): Promise<Places> {
  const { file } = members
  const [rows, columns] = [await members.openWhole('row'), await members.openWhole('col')]
  if (rows.length !== columns.length) throw file.damaged(`${rows.length} rows, and ${columns.length} columns`)
  return async (count) => {
    const [from, to] = [await rows.take(count), await columns.take(count)]
    return (i) => [from[i]!, to[i]!]
  }
}

async function* read(file: StoredFile, context: ReaderContext): WholeReading {
  const members = await openArrays(file)
  try {
    const list = edgeNames.find((name) => members.has(name))
    if (list !== undefined && !members.has('format')) {
      const one = await oneOfGraphs(members, context.member)
      return yield* readEdges(file, list, () => members.openAnew(list), context, one)
    }
    requireOnly(file, context.member)
    const matrix = await matrixOf(members)
    const values = await members.open('data')
    const stored = await members.open(matrix.layout === 'coo' ? 'row' : 'indices')
    if (values.length !== stored.length)
      throw file.damaged(`data has ${values.length} numbers, and ${stored.name} ${stored.length}`)
    context.output.weighted = values.type !== 'b1' && !context.ignoreWeights
    context.output.next()
    const { written, add } = entryWriter(file, context, matrix, values.type === 'b1')
    const places = await (matrix.layout === 'coo' ? triplePlaces(members) : compressedPlaces(members, matrix, context))
    for (let first = 0; first < values.length; first += PIECE) {
      const count = Math.min(PIECE, values.length - first)
      const [placeOf, weights] = [await places(count), await values.take(count)]
      for (let i = 0; i < count; i++) {
        const [row, column] = placeOf(i)
        add(row, column, weights[i]!)
      }
      yield ((first + count) / values.length) * file.bytes
    }
    const { zeros } = written
    return matrixOutcome(
      matrix,
      0,
      zeros === 0
        ? []
        : [
            `${counted(zeros, 'stored value is false: it is no edge', 'stored values are false: they are no edges')} and not among the entries`,
          ],
    )
  } finally {
    await members.close()
  }
}

const MAGIC = '\x93NUMPY'
const MOST_HEADER = 1 << 16
/** Kinds by type of NumPy, without the order of bytes: bytes of a number, and what a piece of them is, little-endian. */
const kinds: Readonly<Record<string, readonly [number, (bytes: ArrayBuffer) => ArrayLike<number>]>> = {
  b1: [1, (bytes) => new Uint8Array(bytes)],
  i1: [1, (bytes) => new Int8Array(bytes)],
  u1: [1, (bytes) => new Uint8Array(bytes)],
  i2: [2, (bytes) => new Int16Array(bytes)],
  u2: [2, (bytes) => new Uint16Array(bytes)],
  i4: [4, (bytes) => new Int32Array(bytes)],
  u4: [4, (bytes) => new Uint32Array(bytes)],
  f4: [4, (bytes) => new Float32Array(bytes)],
  i8: [8, (bytes) => asNumbers(new Uint32Array(bytes), 'i64')],
  u8: [8, (bytes) => asNumbers(new Uint32Array(bytes), 'u64')],
  f8: [8, (bytes) => new Float64Array(bytes)],
  c8: [8, (bytes) => moduli(new Float32Array(bytes))],
  c16: [16, (bytes) => moduli(new Float64Array(bytes))],
}

function moduli(parts: Float32Array | Float64Array): Float64Array {
  return Float64Array.from({ length: parts.length / 2 }, (_, i) => Math.hypot(parts[2 * i]!, parts[2 * i + 1]!))
}

type NpyNumbers = Awaited<ReturnType<typeof openNumbers>>

/** The bytes of an array, its name, and how many there are. */
interface NpyBytes {
  readonly name: string
  readonly chunks: AsyncGenerator<Buffer>
  readonly bytes: number
}

const memberOf = (file: StoredFile, zip: ZipFile, entry: Entry): NpyBytes => ({
  name: entry.fileName,
  chunks: chunksOf(file, zip, entry),
  bytes: entry.uncompressedSize,
})

/** The numbers of an array, in order; complex ones as their moduli, 64-bit ones as doubles. @throws Failure (input) */
async function openNumbers(file: StoredFile, { name, chunks, bytes: all }: NpyBytes) {
  let rest: Buffer = Buffer.alloc(0)
  let header = headerOf(file, rest)
  for (; header === null; header = headerOf(file, rest)) {
    const next = await chunks.next()
    if (next.done === true || rest.length > MOST_HEADER) throw file.damaged(`${name} is no NumPy array`)
    rest = Buffer.concat([rest, next.value])
  }
  const { type, length, swapped, sizes, isFortran } = header
  rest = rest.subarray(header.bytes)
  let left = all - header.bytes
  const noNumber = () => file.damaged(`${name} holds the type ${type}, which is no number`)
  const [each = 0, view] = kinds[type] ?? []
  const isText = /^[SU]\d+$/.test(type)
  if (view === undefined && !isText) throw noNumber()
  if (!isText && each * length !== left)
    throw file.damaged(`${name} promises ${length} numbers, and holds ${left} bytes`)
  const next = async (count: number): Promise<Buffer<ArrayBuffer>> => {
    const bytes = Buffer.from(new ArrayBuffer(count))
    for (let done = 0; done < count;) {
      if (rest.length === 0) {
        const chunk = await chunks.next()
        if (chunk.done === true) throw file.damaged(`${name} ends early`)
        rest = chunk.value
      }
      const copied = rest.copy(bytes, done)
      rest = rest.subarray(copied)
      done += copied
    }
    left -= count
    // Behind the last one is the checksum.
    if (left === 0) await chunks.next()
    return bytes
  }
  /** The next `count` numbers, which are there. @throws Failure (input) */
  const take = async (count: number): Promise<ArrayLike<number>> => {
    if (view === undefined) throw noNumber()
    const bytes = await next(count * each)
    const width = type.startsWith('c') ? each / 2 : each
    if (swapped && width === 2) bytes.swap16()
    if (swapped && width === 4) bytes.swap32()
    if (swapped && width === 8) bytes.swap64()
    return view(bytes.buffer)
  }
  /** All of it, as text. @throws Failure (input) */
  const text = async (): Promise<string> =>
    (await next(Math.min(left, MOST_HEADER))).toString('latin1').replaceAll('\0', '')
  /** Needed where not all was taken. */
  const close = () => chunks.return(undefined)
  return { name, type, length, sizes, isFortran, take, text, close }
}

/** The bytes of a member, whose checksum is compared at its end. @throws Failure (input) */
async function* chunksOf(file: StoredFile, zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let seen = 0
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      seen = crc32(chunk as Buffer, seen)
      yield chunk as Buffer
    }
  } catch {
    throw file.damaged(`its member ${entry.fileName} cannot be unpacked`)
  }
  if (seen !== entry.crc32) throw file.damaged(`the checksum of ${entry.fileName} is wrong`)
}

/** NEP 1: magic, version, length, then a dict of Python. null where there is more to come. */
function headerOf(file: StoredFile, head: Buffer) {
  if (head.length < 12) return null
  if (head.toString('latin1', 0, MAGIC.length) !== MAGIC) throw file.damaged('a member is no NumPy array')
  const [at, length] = head[6]! === 1 ? [10, head.readUInt16LE(8)] : [12, head.readUInt32LE(8)]
  if (length > MOST_HEADER) throw file.damaged('the header of a NumPy array is too long')
  if (head.length < at + length) return null
  const text = head.toString('latin1', at, at + length)
  const [, order, type] = /'descr': *'([<>|=])([a-zA-Z]\d+)'/.exec(text) ?? []
  const shape = /'shape': *\(([\d, ]*)\)/.exec(text)?.[1]
  if (type === undefined || shape === undefined) throw file.damaged(`a NumPy array has the header ${text.trim()}`)
  const sizes = shape
    .split(',')
    .filter((size) => size.trim() !== '')
    .map(Number)
  const isFortran = /'fortran_order': *True/.test(text)
  return {
    bytes: at + length,
    type,
    swapped: order === '>',
    sizes,
    isFortran,
    length: sizes.reduce((a, b) => a * b, 1),
  }
}

/** What lists of edges are called, the likelier first. */
const edgeNames = ['edge_index', 'edges', 'edge_list'] as const

/** Numbers of vertices and of edges of OGB, one for each graph of an archive, whose edges stand one graph behind another with ids from 0 in each. */
const [NODES, EDGES] = ['num_nodes_list', 'num_edges_list']

/** The place of the edges of a graph among those of all, and its number of vertices. */
interface OneGraph {
  readonly first: number
  readonly count: number
  readonly all: number
  readonly vertices: number
}

const countsGraphs = ({ has }: Arrays): boolean => has(NODES) && has(EDGES)

/** @throws Failure (input) where another graph is asked for */
function requireOnly(file: StoredFile, member: string | undefined): void {
  const other = otherNumber(file.name, 1, graphNumber(file.name, member))
  if (other !== null) throw other
}

async function graphsIn(file: StoredFile): Promise<number> {
  const members = await openArrays(file)
  try {
    return countsGraphs(members) ? (await members.openWhole(NODES)).length : 1
  } finally {
    await members.close()
  }
}

/** The graph of this number; null for an archive that does not count graphs. @throws Failure (input) for another number, or none of several */
async function oneOfGraphs(members: Arrays, member: string | undefined): Promise<OneGraph | null> {
  const { file } = members
  if (!countsGraphs(members)) {
    requireOnly(file, member)
    return null
  }
  const [nodes, edges] = [await members.openWhole(NODES), await members.openWhole(EDGES)]
  const graphs = nodes.length
  if (edges.length !== graphs)
    throw file.damaged(`it counts vertices of ${graphs} graphs, and edges of ${edges.length}`)
  const wanted = graphNumber(file.name, member)
  const other = otherNumber(file.name, graphs, wanted)
  if (other !== null) throw other
  const number = wanted ?? 1
  let [first, count, all, vertices] = [0, 0, 0, 0]
  for (let at = 0; at < graphs; at += PIECE) {
    const some = Math.min(PIECE, graphs - at)
    const [ofNodes, ofEdges] = [await nodes.take(some), await edges.take(some)]
    for (let i = 0; i < some; i++) {
      if (!(ofNodes[i]! >= 0 && ofEdges[i]! >= 0)) throw file.damaged(`the graph ${at + i + 1} has less than nothing`)
      if (at + i + 1 < number) first += ofEdges[i]!
      if (at + i + 1 === number) [count, vertices] = [ofEdges[i]!, ofNodes[i]!]
      all += ofEdges[i]!
    }
  }
  if (vertices > MAX_VERTICES)
    throw inputFailure(file.name, `${vertices} vertices are more than there are ids`, 'Split the graph.')
  return { first, count, all, vertices }
}

/** A list of edges: two rows, the sources above the targets, or two columns. @param open it anew @param one of several graphs */
async function* readEdges(
  file: StoredFile,
  name: string,
  open: () => Promise<NpyNumbers>,
  context: ReaderContext,
  one: OneGraph | null,
): WholeReading {
  const [first, second] = [await open(), await open()]
  try {
    const { sizes, type, isFortran, length } = first
    const [rows = 0, columns = 0] = sizes
    const isNamed = /edge_?index/.test(name) ? rows === 2 : /edge/.test(name) && columns === 2
    const isList = sizes.length === 2 && (rows === 2) !== (columns === 2)
    if (!isList && !(sizes.length === 2 && isNamed))
      throw inputFailure(
        file.name,
        `an array of ${sizes.join(' by ') || 'one number'} is no list of edges, which has two rows or two columns`,
        sizes.length === 2 && rows === columns
          ? 'Write a matrix with scipy.sparse.save_npz, a list of two edges as text.'
          : 'Write it as text with numpy.savetxt, or as Parquet.',
      )
    if (!/^[iuf]\d/.test(type)) throw file.damaged(`${first.name} holds the type ${type}, and ids are whole numbers`)
    const edges = length / 2
    if (one !== null && one.all !== edges) throw file.damaged(`its graphs have ${one.all} edges, and it has ${edges}`)
    const { first: begin, count: wanted, vertices = Infinity } = one ?? { first: 0, count: edges }
    // Both ends of an edge may be beside each other in the file.
    const arePairs = (isList ? columns === 2 : !/edge_?index/.test(name)) !== isFortran
    context.output.next()
    const pass = async (numbers: NpyNumbers, count: number): Promise<void> => {
      for (let at = 0; at < count; at += PIECE) await numbers.take(Math.min(PIECE, count - at))
    }
    await pass(first, arePairs ? 2 * begin : begin)
    if (!arePairs) await pass(second, edges + begin)
    for (let at = 0; at < wanted; at += PIECE) {
      const count = Math.min(PIECE, wanted - at)
      const sources = await first.take(arePairs ? 2 * count : count)
      const targets = arePairs ? sources : await second.take(count)
      for (let i = 0; i < count; i++) {
        const [u, v] = arePairs ? [sources[2 * i]!, sources[2 * i + 1]!] : [sources[i]!, targets[i]!]
        for (const id of [u, v])
          if (!(Number.isSafeInteger(id) && id >= 0 && id < vertices))
            throw inputFailure(
              `${file.name}, edge ${begin + at + i + 1}`,
              id >= vertices
                ? `the id ${id} leaves its graph, which has ${vertices} vertices`
                : `the id ${id} is no whole number from 0`,
              'Mend the array.',
            )
        context.output.addNumbers(u, v, 1)
      }
      yield ((begin + at + count) / edges) * file.bytes
    }
    const counted = { kind: 'counted', vertices, base: 0 } as const
    return { vertices: one === null ? { kind: 'occurring' } : counted, warnings: [] }
  } finally {
    for (const numbers of [first, second]) await numbers.close().catch(() => {})
  }
}

async function* bytesOf(file: StoredFile): AsyncGenerator<Buffer> {
  for (const { bytes } of file.pieces()) yield bufferOf(bytes)
}

const readArray: WholeFormat['read'] = (file, context) =>
  readEdges(
    file,
    basename(file.name),
    () => openNumbers(file, { name: basename(file.name), chunks: bytesOf(file), bytes: file.bytes }),
    context,
    null,
  )

/** The first member of an archive that NumPy wrote is an array. */
const holdsArrays = (head: string): boolean =>
  head.startsWith('PK\x03\x04') && head.slice(30, 30 + head.charCodeAt(26) + 256 * head.charCodeAt(27)).endsWith('.npy')

export const npz: WholeFormat = {
  kind: 'whole',
  name: 'npz',
  promisedBy: { ends: ['.npz'] },
  graphs: graphsIn,
  weights: { rule: 'absolute', zerosAreNone: true },
  recognise: (head) => (holdsArrays(head) ? 'it is an archive of NumPy arrays' : null),
  read,
}

export const npy: WholeFormat = {
  kind: 'whole',
  name: 'npy',
  recognise: (head) => (head.startsWith(MAGIC) ? 'it is an array of NumPy' : null),
  read: readArray,
}
