import type { Entry, ZipFile } from 'yauzl'
import { inputFailure } from '../../base/failure.ts'
import { MAX_VERTICES, type ReadOutcome, requireMemoryFor } from '../graph-reader.ts'
import type { WholeFormat } from './graph-format.ts'
import { matrixOutcome } from './matrix-market.ts'
import { NpyNumbers } from './npy-numbers.ts'
import { type BinaryContext, DamagedFile, damagedOr, type StoredFile } from './stored-file.ts'

const PIECE = 1 << 16
const MOST_MEMBERS = 64

/** Arrays of an archive, by name. */
class Members {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #opened = new Map<string, NpyNumbers>()

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  static async open(file: StoredFile): Promise<Members> {
    const { openPromise } = await import('yauzl')
    const zip = await damagedOr(() => openPromise(file.path, { lazyEntries: true, autoClose: false }))
    const entries = new Map<string, Entry>()
    try {
      if (zip.entryCount > MOST_MEMBERS) throw new DamagedFile(`it has ${zip.entryCount} members`)
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName.replace(/\.npy$/, ''), entry)
    } catch (error) {
      zip.close()
      throw error instanceof DamagedFile ? error : new DamagedFile(error)
    }
    return new Members(zip, entries)
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  async array(name: string): Promise<NpyNumbers> {
    const opened = this.#opened.get(name)
    if (opened !== undefined) return opened
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new DamagedFile(`there is no array "${name}" in it`)
    const numbers = await NpyNumbers.open(this.#zip, entry)
    this.#opened.set(name, numbers)
    return numbers
  }

  async close(): Promise<void> {
    for (const numbers of this.#opened.values()) await numbers.close().catch(() => {})
    this.#zip.close()
  }
}

const layouts = ['csr', 'csc', 'coo'] as const
type Layout = (typeof layouts)[number]

interface Matrix {
  readonly layout: Layout
  readonly rows: number
  readonly columns: number
}

async function matrixOf(members: Members, file: StoredFile): Promise<Matrix> {
  if (!members.has('format') || !members.has('shape'))
    throw inputFailure(
      file.name,
      'this archive of NumPy holds no matrix of scipy.sparse',
      'Write it with scipy.sparse.save_npz.',
    )
  const layout = await (await members.array('format')).text()
  const found = layouts.find((each) => each === layout)
  if (found === undefined)
    throw inputFailure(
      file.name,
      `the matrix is of the layout "${layout.slice(0, 20)}", and read are ${layouts.join(', ')}`,
      'Write matrix.tocsr().',
    )
  const shape = await members.array('shape')
  if (shape.length !== 2)
    throw inputFailure(file.name, `it has ${shape.length} dimensions, and a graph two`, 'Write a matrix.')
  const [rows, columns] = Array.from(await shape.take(2)) as [number, number]
  const vertices = rows === columns ? rows : rows + columns
  if (!(rows >= 0 && columns >= 0 && vertices <= MAX_VERTICES))
    throw inputFailure(file.name, `a matrix of ${rows} by ${columns} has more vertices than ids`, 'Split the graph.')
  return { layout: found, rows, columns }
}

/** Writes entries as they come: row, column, value. */
class MatrixEntries {
  /** Stored, and no edges. */
  zeros = 0
  readonly #file: StoredFile
  readonly #context: BinaryContext
  readonly #matrix: Matrix
  readonly #offset: number
  #entries = 0

  constructor(file: StoredFile, context: BinaryContext, matrix: Matrix, weighted: boolean) {
    this.#file = file
    this.#context = context
    this.#matrix = matrix
    this.#offset = matrix.rows === matrix.columns ? 0 : matrix.rows
    context.output.weighted = weighted && !context.ignoreWeights
    context.output.next()
  }

  add(row: number, column: number, value: number): void {
    const { rows, columns } = this.#matrix
    this.#entries++
    if (!(row >= 0 && row < rows && column >= 0 && column < columns))
      throw inputFailure(
        this.#file.name,
        `entry ${this.#entries} is in row ${row}, column ${column} of a matrix of ${rows} by ${columns}`,
        'Is the file damaged?',
      )
    if (value === 0) return void this.zeros++
    const { output, weights } = this.#context
    const place = (): string => `${this.#file.name}, entry (${row}, ${column})`
    const weight = output.weighted ? weights.apply(value, place, String(value)) : 1
    if (weight !== null) output.add(row, this.#offset + column, weight)
  }
}

/** By columns where `layout` is csc; ends of lists ascend to their number. */
async function readCompressed(
  members: Members,
  { layout, rows, columns }: Matrix,
  entries: MatrixEntries,
  values: NpyNumbers,
  { context, pump }: Reading,
): Promise<void> {
  const [lists, byRow] = layout === 'csr' ? [rows, true] : [columns, false]
  const pointers = await members.array('indptr')
  if (pointers.length !== lists + 1) throw new DamagedFile(`indptr has ${pointers.length} numbers, not ${lists + 1}`)
  requireMemoryFor(context, 8 * pointers.length, 'the pointers of the matrix', 'Write matrix.tocoo()')
  const ends = await pointers.take(pointers.length)
  const indices = await members.array('indices')
  if (ends[0] !== 0 || ends[lists] !== indices.length)
    throw new DamagedFile(`indptr runs from ${ends[0]} to ${ends[lists]}, not from 0 to ${indices.length}`)
  for (let i = 0; i < lists; i++) if (!(ends[i]! <= ends[i + 1]!)) throw new DamagedFile('indptr descends')
  let list = 0
  for (let first = 0; first < indices.length; first += PIECE) {
    const count = Math.min(PIECE, indices.length - first)
    const [others, weights] = [await indices.take(count), await values.take(count)]
    for (let i = 0; i < count; i++) {
      while (first + i >= ends[list + 1]!) list++
      if (byRow) entries.add(list, others[i]!, weights[i]!)
      else entries.add(others[i]!, list, weights[i]!)
    }
    await pump((first + count) / indices.length)
  }
}

async function readTriples(
  members: Members,
  entries: MatrixEntries,
  values: NpyNumbers,
  { pump }: Reading,
): Promise<void> {
  const [rows, columns] = [await members.array('row'), await members.array('col')]
  if (rows.length !== columns.length) throw new DamagedFile(`${rows.length} rows, and ${columns.length} columns`)
  for (let first = 0; first < rows.length; first += PIECE) {
    const count = Math.min(PIECE, rows.length - first)
    const [from, to, weights] = [await rows.take(count), await columns.take(count), await values.take(count)]
    for (let i = 0; i < count; i++) entries.add(from[i]!, to[i]!, weights[i]!)
    await pump((first + count) / rows.length)
  }
}

interface Reading {
  readonly context: BinaryContext
  readonly pump: (share: number) => Promise<void>
}

async function read(file: StoredFile, context: BinaryContext): Promise<ReadOutcome> {
  const members = await Members.open(file)
  try {
    const matrix = await matrixOf(members, file)
    const values = await members.array('data')
    const entries = new MatrixEntries(file, context, matrix, values.type !== 'b1')
    const reading: Reading = { context, pump: (share) => context.pump(share * file.bytes) }
    const stored = await members.array(matrix.layout === 'coo' ? 'row' : 'indices')
    if (values.length !== stored.length)
      throw new DamagedFile(`data has ${values.length} numbers, and ${stored.name} ${stored.length}`)
    if (matrix.layout === 'coo') await readTriples(members, entries, values, reading)
    else await readCompressed(members, matrix, entries, values, reading)
    const { zeros } = entries
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
