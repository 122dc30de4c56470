import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { DatasetFacts, FilePreview, ImportArgs, PreviewArgs } from '../../contract/jobs.ts'
import { requireRoomForImport } from '../estimate.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { importGraph } from '../import-graph.ts'
import { type Contained, openContainer, scratchName } from './open-container.ts'

/** The files of a job that are taken out of their containers, by what they are for. */
class OpenedFiles {
  readonly #scratch: string
  readonly #job: JobContext
  readonly #opened: Contained[] = []

  /** @param beside a path beside which there is room */
  constructor(beside: string, job: JobContext) {
    this.#scratch = scratchName(beside)
    this.#job = job
  }

  async open(file: string, member?: string): Promise<Contained | null> {
    const scratch = `${this.#scratch}-${this.#opened.length}`
    const opened = await openContainer(file, { member, scratch }, this.#job)
    if (opened !== null) this.#opened.push(opened)
    if (opened !== null) this.#job.log(`${opened.name}, taken out of its container (${opened.container})`)
    return opened
  }

  /** The error in the names that a person knows. */
  said(error: unknown): unknown {
    if (!(error instanceof Failure) || this.#opened.length === 0) return error
    const named = (text: string): string =>
      this.#opened.reduce((rest, { path, name }) => rest.replaceAll(path, name), text)
    const { where, ...value } = error.toValue()
    return new Failure({ ...value, what: named(value.what), ...(where === undefined ? {} : { where: named(where) }) })
  }

  close(): void {
    for (const opened of this.#opened) opened.close()
    // What an extraction that failed left.
    for (let i = 0; i <= this.#opened.length; i++) rmSync(`${this.#scratch}-${i}`, { recursive: true, force: true })
  }
}

/** Imports a graph file as {@link importGraph} does, out of an archive or a compression where it is in one. @throws Failure as that */
export async function importFile(args: ImportArgs, job: JobContext): Promise<DatasetFacts> {
  const files = new OpenedFiles(args.folder, job)
  try {
    const graph = await files.open(args.source, args.member)
    const others = []
    for (const source of args.sources ?? []) others.push((await files.open(source))?.path ?? source)
    const table = args.vertices === undefined ? null : await files.open(args.vertices)
    const { member, ...asked } = args
    const inner: ImportArgs = {
      ...asked,
      source: graph?.path ?? args.source,
      ...(args.sources === undefined ? {} : { sources: others }),
      ...(args.vertices === undefined ? {} : { vertices: table?.path ?? args.vertices }),
      // A file that holds several graphs has them by number.
      ...(graph === null ? { member } : { sourceName: args.sourceName ?? args.source }),
    }
    const requireRoom = (mayCopy: boolean): void => requireRoomForImport(inner, dirname(inner.folder), mayCopy)
    const facts = await importGraph(inner, job, { requireRoom })
    return graph === null ? facts : { ...facts, report: await ofContainer(args.source, graph, facts.report) }
  } catch (error) {
    throw files.said(error)
  } finally {
    files.close()
  }
}

/** The report names the container, whose bytes a person has. */
async function ofContainer(source: string, graph: Contained, report: DatasetFacts['report']): Promise<typeof report> {
  const stored = StoredFile.open(source)
  try {
    const sourceSha256 = await stored.sha256(() => Promise.resolve())
    const member = graph.name.startsWith(`${source}/`) ? { member: graph.name.slice(source.length + 1) } : {}
    return { ...report, ...member, container: graph.container, sourceBytes: stored.bytes, sourceSha256 }
  } finally {
    stored.close()
  }
}

/** Previews what an import would read. @param preview of a file that is in no container */
export async function previewContained(
  args: PreviewArgs,
  scratchBeside: string,
  job: JobContext,
  preview: (args: PreviewArgs) => Promise<FilePreview>,
): Promise<FilePreview> {
  const files = new OpenedFiles(scratchBeside, job)
  try {
    const { member, ...asked } = args
    const [graph, first, table] = [
      await files.open(args.source, member),
      args.joins === undefined ? null : await files.open(args.joins),
      args.vertices === undefined ? null : await files.open(args.vertices),
    ]
    const seen = await preview({
      ...asked,
      source: graph?.path ?? args.source,
      ...(first === null ? {} : { joins: first.path }),
      ...(table === null ? {} : { vertices: table.path }),
    })
    return graph === null ? seen : { ...seen, reason: `${seen.reason}; it is ${graph.name} (${graph.container})` }
  } catch (error) {
    throw files.said(error)
  } finally {
    files.close()
  }
}
