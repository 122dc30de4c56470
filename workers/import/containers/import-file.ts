/**
 * Imports, previews and plans of files as people have them: what is in an archive or a compression is taken out first, with the table of
 * vertices beside it, and goes again behind the job; messages and reports name the file that the person has. import-graph.ts imports what
 * open-container.ts took out.
 */

import { rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { preparingBytes } from '../../base/host-resources.ts'
import { Failure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { DatasetFacts, FilePreview, ImportArgs, PreviewArgs } from '../../contract/jobs.ts'
import { requireRoomForImport, sampleGraphFiles } from '../estimate.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { importGraph } from '../import-graph.ts'
import { KnownFiles } from '../reading/known-file.ts'
import type { ImportTuning } from '../reader/import-resources.ts'
import { type Contained, openContainer, scratchName } from './open-container.ts'
import { type CutGraph, oneOfOgb } from './ogb-graphs.ts'
import { tableBeside } from './vertices-beside.ts'

type GraphArgs = Pick<ImportArgs, 'source' | 'member' | 'vertices' | 'table' | 'memoryBytes' | 'unpacked'>

/** A graph where its readers find it, and the table of its vertices. */
interface OpenedGraph {
  readonly graph: Contained | null
  readonly source: string
  readonly member: string | undefined
  readonly vertices: string | undefined
  readonly table: ImportArgs['table']
  readonly notes: readonly string[]
}

/** The files of a job that are taken out of their containers. */
class OpenedFiles {
  readonly #scratch: string
  readonly #job: JobContext
  readonly #opened: Contained[] = []
  /** What a person calls the files of scratch. */
  readonly #names: { readonly path: string; readonly name: string }[] = []

  /** @param beside a path beside which there is room */
  constructor(beside: string, job: JobContext) {
    this.#scratch = scratchName(beside)
    this.#job = job
  }

  /** The place of what is in a file. */
  async open(file: string): Promise<string> {
    return (await this.#take(file))?.path ?? file
  }

  async openAll(files: readonly string[]): Promise<string[]> {
    const opened = []
    for (const file of files) opened.push(await this.open(file))
    return opened
  }

  async graph(args: GraphArgs): Promise<OpenedGraph> {
    const { source, member, vertices, table, memoryBytes = preparingBytes(), unpacked } = args
    const graph = await this.#take(source, member, unpacked)
    const own = vertices === undefined ? undefined : await this.open(vertices)
    // A file that holds several graphs has them by number.
    const plain = { graph, source: graph?.path ?? source, member: graph === null ? member : graph.member, table }
    const one = graph && (await oneOfOgb(graph, table, memoryBytes, this.#job))
    if (one !== null) return this.#cut(plain, one, own)
    const leavesOut = own !== undefined || table?.attributes === 'none'
    const beside = graph === null || leavesOut ? null : await tableBeside(graph, table, memoryBytes)
    if (beside === null || 'note' in beside)
      return { ...plain, vertices: own, notes: beside === null ? [] : [beside.note] }
    this.#names.push(beside)
    return { ...plain, vertices: beside.path, notes: [] }
  }

  /** @param own a table of vertices that a person gave */
  #cut(plain: Omit<OpenedGraph, 'vertices' | 'notes'>, { edges, vertices, table }: CutGraph, own: string | undefined) {
    this.#names.push(edges, vertices)
    return { ...plain, source: edges.path, member: undefined, table, vertices: own ?? vertices.path, notes: [] }
  }

  async #take(file: string, member?: string, unpacked?: string): Promise<Contained | null> {
    const scratch = `${this.#scratch}-${this.#opened.length}`
    const opened = await openContainer(file, { member, scratch, unpacked }, this.#job)
    if (opened === null) return null
    this.#opened.push(opened)
    this.#names.push(opened, ...opened.beside)
    this.#job.log(`${opened.name}, taken out of its container (${opened.container})`)
    return opened
  }

  /** A text in the names that a person knows. */
  named(text: string): string {
    return this.#names.reduce((rest, { path, name }) => rest.replaceAll(path, name), text)
  }

  /** The error in these names. */
  said(error: unknown): unknown {
    if (!(error instanceof Failure) || this.#names.length === 0) return error
    const { where, ...value } = error.toValue()
    const what = this.named(value.what)
    return new Failure({ ...value, what, ...(where === undefined ? {} : { where: this.named(where) }) })
  }

  close(): void {
    for (const opened of this.#opened) opened.close()
    // What an extraction that failed left.
    for (let i = 0; i <= this.#opened.length; i++) rmSync(`${this.#scratch}-${i}`, { recursive: true, force: true })
  }
}

/** Gives files to work with to `use`, and takes them away behind it. @throws Failure in the names that a person knows */
async function withFiles<T>(beside: string, job: JobContext, use: (files: OpenedFiles) => Promise<T>): Promise<T> {
  const files = new OpenedFiles(beside, job)
  try {
    return await use(files)
  } catch (error) {
    throw files.said(error)
  } finally {
    files.close()
  }
}

/** Imports a graph file as {@link importGraph} does, out of an archive or a compression where it is in one. @throws Failure as that */
export const importFile = (args: ImportArgs, job: JobContext): Promise<DatasetFacts> =>
  withFiles(args.folder, job, async (files) => {
    const { graph, source, member, vertices, table, notes } = await files.graph(args)
    const sources = args.sources === undefined ? undefined : await files.openAll(args.sources)
    const sourceName = graph === null ? args.sourceName : (args.sourceName ?? args.source)
    const inner: ImportArgs = { ...args, source, member, sources, vertices, table, sourceName, unpacked: undefined }
    const known = new KnownFiles(inner)
    const sizes = await sampleGraphFiles(inner, known)
    const requireRoom: ImportTuning['requireRoom'] = (mayCopy) =>
      requireRoomForImport(sizes, inner.memoryBytes ?? preparingBytes(), dirname(inner.folder), mayCopy)
    const facts = await importGraph(inner, job, { requireRoom }, known)
    const report = graph === null ? withNumber(facts.report, args) : await ofContainer(args, graph, facts.report)
    return { ...facts, report: { ...withTable(report, files), warnings: [...report.warnings, ...notes] } }
  })

type Report = DatasetFacts['report']

/** The report names the container, whose bytes a person has. */
async function ofContainer({ source }: ImportArgs, graph: Contained, report: Report): Promise<Report> {
  const stored = StoredFile.open(source)
  try {
    const sourceSha256 = graph.sha256 ?? (await stored.sha256(() => Promise.resolve()))
    const file = graph.name.startsWith(`${source}/`) ? graph.name.slice(source.length + 1) : undefined
    const member = graph.member === undefined ? file : [file, graph.member].filter(Boolean).join('#')
    return {
      ...report,
      ...(member === undefined ? {} : { member }),
      container: graph.container,
      sourceBytes: stored.bytes,
      sourceSha256,
    }
  } finally {
    stored.close()
  }
}

const withNumber = (report: Report, { member }: ImportArgs): Report =>
  member === undefined ? report : { ...report, member }

/** With the table of vertices by the name that a person knows. */
function withTable<R extends Pick<Report | FilePreview, 'balance'>>(of: R, files: OpenedFiles): R {
  const { balance } = of
  if (balance?.vertices === undefined || balance.vertices === null) return of
  const source = files.named(balance.vertices.source)
  return { ...of, balance: { ...balance, vertices: { ...balance.vertices, source } } }
}

/** Previews what an import would read. @param preview of a file that is in no container */
export const previewContained = (
  args: PreviewArgs,
  scratchBeside: string,
  job: JobContext,
  preview: (args: PreviewArgs) => Promise<FilePreview>,
): Promise<FilePreview> =>
  withFiles(scratchBeside, job, async (files) => {
    const { graph, source, member, vertices, table, notes } = await files.graph(args)
    const joins = args.joins === undefined ? undefined : await files.open(args.joins)
    const seen = withTable(await preview({ ...args, source, member, joins, vertices, table }), files)
    const warnings = [...seen.warnings, ...notes]
    if (graph === null) return { ...seen, warnings }
    // A server keeps what was sent to it in folders of its own.
    const name = graph.name.startsWith(args.source)
      ? basename(args.source) + graph.name.slice(args.source.length)
      : graph.name
    return { ...seen, warnings, reason: `${seen.reason}; it is ${name} (${graph.container})` }
  })

/** Gives the places of a graph and the table of its vertices to `use`, out of their container. @throws Failure as `use`, and as an import */
export const withContained = <T>(
  args: Pick<ImportArgs, 'source' | 'member' | 'vertices' | 'table'>,
  scratchBeside: string,
  job: JobContext,
  use: (at: Pick<ImportArgs, 'source' | 'member' | 'vertices' | 'table'>) => Promise<T>,
): Promise<T> =>
  withFiles(scratchBeside, job, async (files) => {
    const { source, member, vertices, table } = await files.graph(args)
    return use({ source, member, vertices, table })
  })
