/**
 * Gives a graph that was built the attributes of its vertices and edges, in a second pass over their files: they go to the disk by vertex, and
 * come back in order. Time is linear in the cells, and memory is bounded whatever the files hold; rows without a vertex of the graph are
 * counted. attribute-rows.ts keeps rows on the disk, write-tables.ts writes the tables.
 */

import { counted } from '../../base/counted.ts'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { excerpt, inputFailure } from '../../base/failure.ts'
import { type JobContext, YieldScheduler } from '../../base/job.ts'
import { SUMS_SUFFIX } from '../../base/sums.ts'
import {
  type Attributes,
  type FormatName,
  type ImportArgs,
  type ImportBalance,
  type ImportReport,
  NAMES_FILE,
  type TableOptions,
} from '../../contract/jobs.ts'
import { EDGE_TABLE, VERTEX_TABLE } from '../../graph/attribute-table.ts'
import { type Labels, openLabels } from '../../graph/labels.ts'
import { type ElementValue, END_NAMES, hasRows } from '../formats/graph-format.ts'
import { reportedFormat } from '../formats/registry.ts'
import { weightKeys } from '../formats/graph-elements.ts'
import { knownFile, openKnown } from '../reading/known-file.ts'
import { sampleOf } from '../reading/reading.ts'
import type { EdgeTap, EndName, VertexTap } from '../reader/graph-reader.ts'
import { tapGraphFile } from '../reading/read-graph-file.ts'
import { RowPolicy } from '../reader/policies.ts'
import type { ThreadPool } from '../build/import-threads.ts'
import { rowStride, wordsOf } from '../build/row-bytes.ts'
import { TextLabels, writeSummed } from '../build/write-dataset.ts'
import { preparingBytes } from '../../base/host-resources.ts'
import { WordList } from '../../base/words.ts'
import { wholeOfDecimal } from '../reader/numbers.ts'
import { attachLabels } from './attach-labels.ts'
import { AttributeSpill, textsTooLarge } from './attribute-rows.ts'
import { JoinedRows } from './joined-rows.ts'
import { SpreadRows } from './spread-rows.ts'
import { openVertexFile, type VertexRow } from '../reading/vertex-file.ts'

const SCRATCH = 'attributes.tmp'
/** Attributes that are names of vertices, the likelier first. */
const nameColumns = ['name', 'label', 'title']
/** Fields of elements that are no attributes. */
const ends = new Set<string>(['id', ...END_NAMES])
const YIELD_ROWS = 1 << 12
/** A node whose id is of no vertex. */
const NOWHERE = 2 ** 32 - 1
const isPlainId = /^(?:0|[1-9]\d*)$/

/**
 * Gives a graph that was built its attributes.
 * @param folder of the dataset, still aside @param pool has no part open
 * @returns the report with what was found
 * @throws Failure (input) at a row; (storage); (cancelled)
 */
export async function attachAttributes(
  args: ImportArgs,
  folder: string,
  found: ImportReport,
  pool: ThreadPool,
  job: JobContext,
): Promise<ImportReport> {
  const report =
    args.labels === undefined ? found : { ...found, labels: await attachLabels(args.labels, folder, found, job) }
  const format = reportedFormat(report.format)
  const wanted = args.table?.attributes
  const hasElements = format?.kind === 'whole' && format.elements !== undefined && wanted !== 'none'
  const hasColumns =
    format !== undefined && !hasElements && hasRows(format) && wanted !== undefined && wanted !== 'none'
  const hasValues = format !== undefined && wanted !== 'none' && (await hasVertexValues(args, report))
  if (args.vertices === undefined && !hasElements && !hasColumns && !hasValues) return report
  const startedMs = performance.now()
  const scratch = join(folder, SCRATCH)
  // Left by a killed import.
  for (const left of [SCRATCH, ...[VERTEX_TABLE, EDGE_TABLE, NAMES_FILE].flatMap((file) => [file, file + SUMS_SUFFIX])])
    rmSync(join(folder, left), { recursive: true, force: true })
  mkdirSync(scratch)
  const attached = new AttachedAttributes(args, folder, scratch, report, pool, job)
  try {
    if (args.vertices !== undefined) await attached.vertexFile(args, args.vertices)
    if (hasElements) await attached.elements({ ...args, format: format.name })
    if (hasColumns) await attached.edgeColumns(args, format.name)
    if (hasValues) await attached.vertexValues(args, format.name)
    const { attributes, warnings } = await attached.finish()
    const hasAny = attributes.vertices.length + attributes.edges.length > 0
    const elapsedMs = report.elapsedMs + Math.round(performance.now() - startedMs)
    const balance = report.balance && { ...report.balance, vertices: attached.joined }
    return {
      ...report,
      ...(hasAny ? { attributes } : {}),
      ...(balance === undefined ? {} : { balance }),
      ...{ warnings: [...report.warnings, ...warnings], elapsedMs },
    }
  } finally {
    attached.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Whether lines of the file give vertices weights. */
async function hasVertexValues({ source, table }: ImportArgs, { format, balance }: ImportReport): Promise<boolean> {
  const known = reportedFormat(format)
  if (known?.hasVertexValues === undefined || (known.kind === 'text' && !((balance?.lines?.vertices ?? 0) > 0)))
    return false
  const { sample } = await sampleOf(source, table?.encoding)
  return known.hasVertexValues(Buffer.from(sample.bytes).toString('latin1'))
}

/** Loops, and edges of vertices that are not in the graph, have no attributes. */
const isEdge = (u: number, v: number): boolean => u >= 0 && v >= 0 && u !== v

class AttachedAttributes {
  readonly #memoryBytes: number
  readonly #choosesNames: boolean
  readonly #folder: string
  readonly #report: ImportReport
  readonly #labels: Labels
  readonly #pool: ThreadPool
  readonly #job: JobContext
  readonly #scheduler: YieldScheduler
  readonly #vertices: AttributeSpill
  readonly #edges: AttributeSpill
  readonly #warnings: string[] = []
  /** The balance of the table of vertices. */
  joined: ImportBalance['vertices'] = null
  /** The file whose rows are taken. */
  #reading = ''
  #hasWeight = false
  #last = -1
  #rows = 0

  constructor(
    args: ImportArgs,
    folder: string,
    scratch: string,
    report: ImportReport,
    pool: ThreadPool,
    job: JobContext,
  ) {
    this.#pool = pool
    this.#memoryBytes = args.memoryBytes ?? preparingBytes()
    this.#choosesNames = !['all', 'none'].includes(args.table?.attributes ?? 'all')
    this.#folder = folder
    this.#report = report
    this.#labels = openLabels(folder, report.vertices)
    this.#job = job
    this.#scheduler = new YieldScheduler(job)
    const spill = (name: string): AttributeSpill => {
      mkdirSync(join(scratch, name))
      const bytes = 2 * report.sourceBytes + 64 * report.vertices
      const path = join(scratch, name)
      return new AttributeSpill(path, report.vertices, bytes, this.#memoryBytes, pool.threads.length, (u, v) => {
        const idOf = (vertex: number): string => `"${excerpt(this.#labels.of(vertex))}"`
        const what = name === 'vertices' ? `vertex ${idOf(u)}` : `edge of ${idOf(u)} and ${idOf(v)}`
        return textsTooLarge(`the attributes of the ${what}`, this.#memoryBytes, this.#reading)
      })
    }
    this.#vertices = spill('vertices')
    this.#edges = spill('edges')
  }

  async vertexFile(args: ImportArgs, path: string): Promise<void> {
    this.#reading = path
    const file = await openVertexFile(path, args.table, args.memoryBytes)
    // The first pass has reported its rows.
    const policy = new RowPolicy(args.table)
    const joined = new JoinedRows(this.#report.vertices)
    let strangers = 0
    const take = ({ id, rest }: VertexRow): void => {
      const v = this.#find(this.#labelOf(id))
      if (v < 0) return void strangers++
      joined.add(v)
      if ('cells' in rest) this.#vertices.addCells(v, 0, rest.line, rest.cells)
      else this.#vertices.add(v, 0, rest.values)
    }
    const spreader = new SpreadRows(this.#vertices, this.#labels, this.#pool, this.#memoryBytes, (bytes, piece) => {
      strangers += piece.strangers
      const words = wordsOf(bytes)
      for (let at = 0; at < words.length; at += rowStride(words[at]!) >> 2) joined.add(words[at + 1]!)
    })
    for await (const _ of file.rows(policy, take, spreader)) await this.#pause()
    const { matched, added, repeated, withoutRow } = await joined.withEdges(this.#folder, () => this.#pause())
    // Where ids are labels, each row that holds one is a vertex.
    const format = reportedFormat(this.#report.format)
    const areLabels = format && (hasRows(format) || (format.kind === 'whole' && format.elements !== undefined))
    const [unknown, unread] = areLabels ? [0, strangers] : [strangers, 0]
    const refused = policy.skipped + unread
    const rows = matched + added + repeated + unknown + refused
    this.joined = { source: path, rows, matched, added, repeated, unknown, refused, withoutRow }
    // A graph without edges has vertices all the same.
    if (matched === 0 && this.#report.entries > 0)
      throw inputFailure(path, `no id of the table of vertices, in its column "${file.idColumn}", is in an edge`, '', [
        { action: 'choose', option: 'vertexColumn' },
      ])
    if (unknown > 0)
      this.#warnings.push(
        `${counted(unknown, 'row of the table of vertices is', 'rows of the table of vertices are')} of no vertex of the graph`,
      )
  }

  async elements(args: ImportArgs): Promise<void> {
    this.#reading = args.source
    const opened = await openKnown(await knownFile(args), args, { ...this.#job, log: () => {} })
    if (opened === null) throw new Error('the format of the file has changed')
    const chosen = chooser(args.table)
    // Of the nodes whose ids are texts.
    const places = new WordList()
    let nodes = 0
    try {
      // The weight is no attribute too.
      const weight = args.ignoreWeights === true ? '' : (args.table?.weightColumn ?? weightKeys[0])
      for await (const { elements } of opened.format.elements!(opened.file))
        for (const { kind, values } of elements) {
          if (kind === 'node') {
            const id = values.get('id') ?? nodes
            nodes++
            const v = this.#find(String(id))
            if (typeof id === 'string') places.push(v < 0 ? NOWHERE : v)
            if (v >= 0) this.#vertices.add(v, 0, chosen(values))
          } else this.#edge(values, places.length === nodes ? places.words : null, weight, chosen)
          if (++this.#rows % YIELD_ROWS === 0) await this.#pause()
        }
      const isOther = weight === weightKeys[0] && !this.#hasWeight && this.#report.weights !== null
      if (isOther) this.#edges.drop(weightKeys[1])
    } finally {
      opened.close()
    }
  }

  /** @param places vertices by the places of their nodes, where all have texts as ids: numbers are places then */
  #edge(
    values: ReadonlyMap<string, ElementValue>,
    places: Uint32Array | null,
    weight: string,
    chosen: ReturnType<typeof chooser>,
  ): void {
    this.#hasWeight ||= values.has(weight)
    const named = END_NAMES.map((end) => values.get(end) ?? '')
    const areNumbers = named.every((id) => typeof id === 'number')
    const [u, v] = named.map((id) => {
      const at = areNumbers ? places?.[Number(id)] : undefined
      return at === undefined || at === NOWHERE ? this.#find(String(id)) : at
    }) as [number, number]
    this.#addEdge(u, v, chosen(values, weight))
  }

  #addEdge(u: number, v: number, values: Iterable<readonly [string, ElementValue]>): void {
    if (isEdge(u, v)) this.#edges.add(Math.min(u, v), Math.max(u, v), values)
  }

  async edgeColumns(args: ImportArgs, format: FormatName): Promise<void> {
    this.#reading = args.source
    const ids = this.#report.labels.kind === 'text' ? 'text' : 'integer'
    const tap: EdgeTap = {
      values: (source, target, values) => this.#addEdge(this.#end(source), this.#end(target), values),
      cells: (source, target, line, cells) => {
        const [u, v] = [this.#end(source), this.#end(target)]
        if (isEdge(u, v)) this.#edges.addCells(Math.min(u, v), Math.max(u, v), line, cells)
      },
    }
    const rows = new SpreadRows(this.#edges, this.#labels, this.#pool, this.#memoryBytes)
    await tapGraphFile(args, format, ids, { tap, rows }, this.#job)
  }

  /** Weights of vertices, which stand in the file by their number. */
  async vertexValues(args: ImportArgs, format: FormatName): Promise<void> {
    const chosen = chooser(args.table)
    const vertexTap: VertexTap = (vertex, values) => this.#vertices.add(vertex, 0, chosen(new Map(values)))
    await tapGraphFile({ ...args, ignoreWeights: true }, format, 'integer', { vertexTap }, this.#job)
  }

  async finish(): Promise<{ attributes: Attributes; warnings: readonly string[] }> {
    // Arrow is large: it is loaded where there is something to write.
    const { mostColumns, writeEdgeTable, writeVertexTable } = await import('./write-tables.ts')
    const { vertices } = this.#report
    const work = { pool: this.#pool, scheduler: this.#scheduler, memoryBytes: this.#memoryBytes }
    this.#keepFullest('vertex', this.#vertices, vertices, mostColumns(work.memoryBytes))
    this.#keepFullest('edge', this.#edges, this.#edges.rows, mostColumns(work.memoryBytes))
    const named = this.#vertices.columns.findIndex(
      ({ name, kind, isDropped }) => !isDropped && kind === 'text' && nameColumns.includes(name.toLowerCase()),
    )
    const names = named < 0 ? null : new TextLabels(vertices)
    const taken = names && { column: named, add: names.add.bind(names) }
    const [ofVertices, ofEdges] = [this.#vertices, this.#edges].map(({ columns }) => columns.some((c) => c.filled > 0))
    const attributes = {
      vertices: ofVertices ? await writeVertexTable(this.#folder, this.#vertices, vertices, work, taken) : [],
      edges: ofEdges ? await writeEdgeTable(this.#folder, this.#edges, work) : [],
    }
    if (names !== null)
      await writeSummed(join(this.#folder, NAMES_FILE), (file) => names.pieces().forEach((piece) => file.write(piece)))
    for (const [of, { repeated }] of Object.entries({ vertex: this.#vertices, edge: this.#edges }))
      if (repeated > 0)
        this.#warnings.push(
          `${counted(repeated, 'time', 'times')} attributes of one ${of} are given again; the first ones stay`,
        )
    return { attributes, warnings: this.#warnings }
  }

  /** What a table has no room for is in the report. */
  #keepFullest(of: 'vertex' | 'edge', spill: AttributeSpill, rows: number, most: number): void {
    const columns = this.#choosesNames ? 0 : spill.keepFullest(rows, most)
    const remedy = 'name those that matter by the option attributes'
    if (columns > 0)
      this.#warnings.push(
        `${columns} attributes of ${of === 'vertex' ? 'vertices' : 'edges'} are left out, as most cells of their columns would be empty: ${remedy}`,
      )
    if (spill.leftOutCells > 0)
      this.#warnings.push(
        `${spill.leftOutCells} values of ${of === 'vertex' ? 'vertices' : 'edges'} are left out, as there are more names of attributes than a table has columns: ${remedy}`,
      )
  }

  close(): void {
    this.#vertices.close()
    this.#edges.close()
  }

  /** What vertices are called: 007 is 7 where ids are numbers, and so is 7.0. */
  #labelOf(id: string): string {
    if (this.#report.labels.kind === 'text' || isPlainId.test(id)) return id
    return /^\+?\d+$/.test(id) ? String(BigInt(id)) : String(wholeOfDecimal(id) ?? id)
  }

  /** The vertex at an end of an edge, or -1. */
  #end(name: EndName): number {
    return typeof name === 'number' ? this.#labels.findWhole(name) : this.#find(this.#labelOf(name))
  }

  /** Tables are mostly in the order of the ids. */
  #find(label: string): number {
    const next = this.#last + 1
    const v = next < this.#report.vertices && this.#labels.of(next) === label ? next : this.#labels.find(label)
    if (v >= 0) this.#last = v
    return v
  }

  #pause(): Promise<void> {
    return this.#scheduler.yield({ phase: 'attributes', done: this.#rows, unit: 'lines' })
  }
}

/** Those of an element that are kept. */
function chooser({ attributes = 'all' }: TableOptions = {}) {
  const wanted = attributes === 'all' ? null : new Set(attributes.split(',').map((name) => name.trim()))
  return function* (
    values: ReadonlyMap<string, ElementValue>,
    weight = '',
  ): Generator<readonly [string, ElementValue]> {
    for (const entry of values)
      if (!ends.has(entry[0]) && entry[0] !== weight && wanted?.has(entry[0]) !== false) yield entry
  }
}
