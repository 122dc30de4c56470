import type { Entry } from 'yauzl'
import { inputFailure } from '../../base/failure.ts'
import { MAX_VERTICES, type ReadOutcome, requireMemoryFor } from '../graph-reader.ts'
import type { WholeFormat } from './graph-format.ts'
import { matrixOutcome } from './matrix-market.ts'
import { NpyNumbers } from './npy-numbers.ts'
import { type BinaryContext, DamagedFile, damagedOr, type StoredFile } from './stored-file.ts'

const PIECE = 1 << 16
const MOST_MEMBERS = 64

/** Arrays of an archive, by name. */
interface Arrays {
  has(name: string): boolean
  /** @throws DamagedFile */
  open(name: string): Promise<NpyNumbers>
  close(): Promise<void>
}

async function openArrays(file: StoredFile): Promise<Arrays> {
  const { openPromise } = await import('yauzl')
  const zip = await damagedOr(() => openPromise(file.path, { lazyEntries: true, autoClose: false }))
  const entries = new Map<string, Entry>()
  const opened = new Map<string, NpyNumbers>()
  const close = async (): Promise<void> => {
    for (const numbers of opened.values()) await numbers.close().catch(() => {})
    zip.close()
  }
  try {
    if (zip.entryCount > MOST_MEMBERS) throw new DamagedFile(`it has ${zip.entryCount} members`)
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.replace(/\.npy$/, ''), entry)
  } catch (error) {
    await close()
    throw error instanceof DamagedFile ? error : new DamagedFile(error)
  }
  const open = async (name: string): Promise<NpyNumbers> => {
    const entry = entries.get(name)
    if (entry === undefined) throw new DamagedFile(`there is no array "${name}" in it`)
    const numbers = opened.get(name) ?? (await NpyNumbers.open(zip, entry))
    opened.set(name, numbers)
    return numbers
  }
  return { has: (name) => entries.has(name), open, close }
}

const layouts = ['csr', 'csc', 'coo'] as const

interface Matrix {
  readonly layout: (typeof layouts)[number]
  readonly rows: number
  readonly columns: number
}

async function matrixOf(members: Arrays, file: StoredFile): Promise<Matrix> {
  if (!members.has('format') || !members.has('shape'))
    throw inputFailure(
      file.name,
      'this archive of NumPy holds no matrix of scipy.sparse',
      'Write it with scipy.sparse.save_npz.',
    )
  const layout = await (await members.open('format')).text()
  const found = layouts.find((each) => each === layout)
  if (found === undefined)
    throw inputFailure(
      file.name,
      `the matrix is of the layout "${layout.slice(0, 20)}", and read are ${layouts.join(', ')}`,
      'Write matrix.tocsr().',
    )
  const shape = await members.open('shape')
  if (shape.length !== 2)
    throw inputFailure(file.name, `it has ${shape.length} dimensions, and a graph two`, 'Write a matrix.')
  const [rows, columns] = Array.from(await shape.take(2)) as [number, number]
  const vertices = rows === columns ? rows : rows + columns
  if (!(rows >= 0 && columns >= 0 && vertices <= MAX_VERTICES))
    throw inputFailure(file.name, `a matrix of ${rows} by ${columns} has more vertices than ids`, 'Split the graph.')
  return { layout: found, rows, columns }
}

/** Takes a row, a column and a value; counts what is stored and no edge. */
function entryWriter(file: StoredFile, { output, weights }: BinaryContext, { rows, columns }: Matrix) {
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
    if (value === 0) return void written.zeros++
    const place = (): string => `${file.name}, entry (${row}, ${column})`
    const weight = output.weighted ? weights.apply(value, place, String(value)) : 1
    if (weight !== null) output.add(row, offset + column, weight)
  }
  return { written, add }
}

/** Reads where the next entries are. @returns the row and the column of each of them, by its number; called in order */
type Places = (count: number) => Promise<(i: number) => readonly [row: number, column: number]>

/** By columns where `layout` is csc; ends of lists ascend to their number. */
async function compressedPlaces(
  members: Arrays,
  { layout, rows, columns }: Matrix,
  context: BinaryContext,
): Promise<Places> {
  const lists = layout === 'csr' ? rows : columns
  const pointers = await members.open('indptr')
  if (pointers.length !== lists + 1) throw new DamagedFile(`indptr has ${pointers.length} numbers, not ${lists + 1}`)
  requireMemoryFor(context, 8 * pointers.length, 'the pointers of the matrix', 'Write matrix.tocoo()')
  const ends = await pointers.take(pointers.length)
  const indices = await members.open('indices')
  if (ends[0] !== 0 || ends[lists] !== indices.length)
    throw new DamagedFile(`indptr runs from ${ends[0]} to ${ends[lists]}, not from 0 to ${indices.length}`)
  for (let i = 0; i < lists; i++) if (!(ends[i]! <= ends[i + 1]!)) throw new DamagedFile('indptr descends')
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
  const [rows, columns] = [await members.open('row'), await members.open('col')]
  if (rows.length !== columns.length) throw new DamagedFile(`${rows.length} rows, and ${columns.length} columns`)
  return async (count) => {
    const [from, to] = [await rows.take(count), await columns.take(count)]
    return (i) => [from[i]!, to[i]!]
  }
}

async function read(file: StoredFile, context: BinaryContext): Promise<ReadOutcome> {
  const members = await openArrays(file)
  try {
    const matrix = await matrixOf(members, file)
    const values = await members.open('data')
    const stored = await members.open(matrix.layout === 'coo' ? 'row' : 'indices')
    if (values.length !== stored.length)
      throw new DamagedFile(`data has ${values.length} numbers, and ${stored.name} ${stored.length}`)
    context.output.weighted = values.type !== 'b1' && !context.ignoreWeights
    context.output.next()
    const { written, add } = entryWriter(file, context, matrix)
    const places = await (matrix.layout === 'coo' ? triplePlaces(members) : compressedPlaces(members, matrix, context))
    for (let first = 0; first < values.length; first += PIECE) {
      const count = Math.min(PIECE, values.length - first)
      const [placeOf, weights] = [await places(count), await values.take(count)]
      for (let i = 0; i < count; i++) {
        const [row, column] = placeOf(i)
        add(row, column, weights[i]!)
      }
      await context.pump(((first + count) / values.length) * file.bytes)
    }
    const { zeros } = written
    return matrixOutcome(matrix, 0, zeros === 0 ? [] : [`${zeros} stored zeros are no edges and not among the entries`])
  } finally {
    await members.close()
  }
}

/** The first member of an archive that NumPy wrote is an array. */
function firstMember(file: StoredFile): string {
  const head = Buffer.from(file.head(512))
  return head.toString('latin1', 0, 4) === 'PK\x03\x04' && head.length > 30
    ? head.toString('latin1', 30, 30 + head.readUInt16LE(26))
    : ''
}

export const npz: WholeFormat = {
  kind: 'whole',
  name: 'npz',
  promisedBy: { ends: ['.npz'] },
  weights: { rule: 'absolute', zeroMeansPattern: false },
  recognise: (file) => (firstMember(file).endsWith('.npy') ? 'it is an archive of NumPy arrays' : null),
  read,
}
