/**
 * `rerun`: a run again by its record, by its id, or by its archive. The dataset is the one of the library with the graph of the record, whatever
 * its name; else the graph in the archive; else it is made again by the recipe of the record: generated, sampled, or imported with
 * the same options from the file that is named, from where it came from, or from one of that name beside the record.
 */

import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { asFailure, Failure, inputFailure, verificationFailure } from '../../../workers/base/failure.ts'
import { calls } from '../../contract/calls.ts'
import { type Dataset, generateRequestSchema } from '../../contract/dataset.ts'
import {
  complementedBy,
  optionsOf,
  runRecordSchema,
  runRequestSchema,
  type Run,
  type RunRecord,
  usesAttributes,
} from '../../contract/run.ts'
import type { Library } from '../../library/library.ts'
import { outputArgument, runDevicesArgument } from '../argument.ts'
import { runDocument } from '../documents.ts'
import { runText } from '../run-text.ts'
import type { Shell, Workplace } from '../shell.ts'
import { exported } from './results.ts'
import { runToEnd } from './run.ts'

const examples = `
The dataset is the one of the library with the graph of the record, whatever its name; else the graph in the archive; else it is made again as the record says:
generated, or imported with the same options from --input, from where it came from, or from a file of that name beside the record. Lists of vertices are in the record.
Devices, workers and memory may be others than before: the hash is the same.

Examples:
  anticlique rerun set.txt.run.json
  anticlique rerun published.tar
  anticlique rerun set.txt.run.json --input downloads/graph.mtx.gz
  anticlique rerun latest --devices cpu:0`

interface RerunOptions {
  readonly devices: string
  readonly output?: string
  readonly input?: string
}

export function register(program: Command, shell: Shell): void {
  program
    .command('rerun')
    .description('Repeat a run by its record, and compare the hash: 3 where it is another.')
    .argument('<record or run>', 'a file .run.json beside an exported result, an archive, or a run of the library')
    .option(
      '--devices <list>',
      'compute on cpu:0, gpu:0, ..., several with commas, or auto',
      runDevicesArgument,
      'auto',
    )
    .option('--output <file>', 'write the result to this file', outputArgument)
    .option('--input <file>', 'the file with the graph, where it is no longer where it was')
    .addHelpText('after', examples)
    .action((of: string, { devices, output, input }: RerunOptions) =>
      shell.open(async (place) => {
        const { library } = place
        const scratch = mkdtempSync(join(tmpdir(), 'anticlique-rerun-'))
        let record: RunRecord
        let run: Run
        try {
          const found = await foundRecord(of, scratch, place, shell)
          record = found.record
          const dataset = await datasetOf(record, { ...found, input }, place, shell)
          // The files of traces and checkpoints are no part of what was computed.
          const { traceFile: _, checkpointEveryMs: __, ...asked } = record.request
          const lists = listsOfRecord(record, scratch, found, library)
          const request = runRequestSchema.parse({ ...asked, ...lists, dataset, device: devices })
          const { run: queued } = await place.service.call('runs.start', { request })
          run = await runToEnd(queued, place, shell)
        } finally {
          rmSync(scratch, { recursive: true, force: true })
        }
        const files = output === undefined ? [] : await exported(run, output, place, shell)
        const rerun = { of: record.run, hash: record.hash, same: run.hash === record.hash }
        const word = rerun.same ? `the hash is that of run ${record.run}` : `run ${record.run} had ${record.hash}`
        shell.answer({ ...runDocument(run, files), rerun }, `${runText(run, files)}\n  rerun  ${word}`)
        if (run.failure !== null) throw new Failure(run.failure)
        if (!rerun.same) throw otherHash(record, run.hash, of)
      }),
    )
}

interface FoundRecord {
  readonly record: RunRecord
  /** The folder of its file; undefined for a run of the library. */
  readonly folder: string | undefined
  /** The folder that has what an archive has; undefined for none. */
  readonly archived: string | undefined
}

/** A record, an archive, or what is left of one that was unpacked: then its folder has the graph. */
async function foundRecord(of: string, scratch: string, place: Workplace, shell: Shell): Promise<FoundRecord> {
  if (!existsSync(of)) {
    const { record } = await place.service.call('runs.record', { run: of })
    return { record, folder: undefined, archived: undefined }
  }
  const folder = dirname(resolve(of))
  if (isJson(of))
    return { record: readRecord(of), folder, archived: existsSync(join(folder, SUMS)) ? folder : undefined }
  const archived = join(scratch, 'archive')
  await place.service.call('archive.unpack', { archive: of, folder: archived }, shell.job)
  return { record: readRecord(join(archived, 'record.json')), folder, archived }
}

const SUMS = 'SHA256SUMS'

function isJson(path: string): boolean {
  try {
    const [file, head] = [openSync(path, 'r'), Buffer.alloc(64)]
    readSync(file, head)
    closeSync(file)
    return /^\s*\{/.test(head.toString('latin1'))
  } catch (error) {
    throw asFailure(error, path)
  }
}

function readRecord(path: string): RunRecord {
  let document: unknown
  try {
    document = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw asFailure(error, path)
  }
  const { data, error } = runRecordSchema.safeParse(document)
  if (data !== undefined) return data
  throw inputFailure(
    path,
    `this is no record of a run${error === undefined ? '' : ` (${error.issues[0]?.path.join('.') || 'not an object'})`}`,
    'Name the file .run.json that was written beside a result.',
  )
}

/**
 * The name of the dataset that has the very graph of the record: of the library by its checksum; else made anew by the recipe of the record, from the
 * given file, the one that it came from, or one of that name beside the record. @throws Failure (input) where there is none
 */
async function datasetOf(
  record: Pick<RunRecord, 'dataset' | 'request'>,
  where: RecordPlace,
  place: Workplace,
  shell: Shell,
): Promise<string> {
  const { service, library } = place
  const { dataset } = record
  const isAttributed = usesAttributes(optionsOf(record.request))
  const here = library.datasets
    .list()
    .find(
      ({ checksum, report }) =>
        checksum === dataset.checksum && (!isAttributed || (report.attributes?.vertices.length ?? 0) > 0),
    )
  if (here !== undefined) return here.name
  const graph = archivedFile(where.archived, 'graph.gr', 'graph.egr')
  if (graph !== undefined && where.input === undefined) return graphOfArchive(record, graph, where, place, shell)
  const name = `${dataset.name}-${dataset.checksum.slice(0, 8)}`
  const { call = 'datasets.import', args = {} } = dataset.recipe ?? {}
  if (call === 'datasets.complement') {
    // What an archive has is the complement.
    const dataset = { ...record.dataset, recipe: undefined, ...complementedBy(record)! }
    const of = await datasetOf({ ...record, dataset }, { ...where, archived: undefined }, place, shell)
    return sameGraph(record, await service.call(call, { name: of, as: name }, shell.job), name, place)
  }
  if (call !== 'datasets.import') {
    const made =
      call === 'datasets.generate'
        ? await service.call(call, generateRequestSchema.parse({ ...args, name }), shell.job)
        : await service.call(call, calls[call].args.parse({ ...args, name }), shell.job)
    return sameGraph(record, made, name, place)
  }
  const source = sourceOf(String(args['source'] ?? dataset.source), where)
  const beside = (file: unknown): unknown => (typeof file === 'string' ? (besideRecord(file, where) ?? file) : file)
  const sources = Array.isArray(args['sources']) ? args['sources'].map(beside) : undefined
  const asked = {
    ...args,
    sources,
    vertices: beside(args['vertices']),
    labels: beside(args['labels']),
    source,
    name,
    reuse: true,
    link: 'possible',
  }
  const imported = await service.call(call, calls[call].args.parse(asked), shell.job)
  return sameGraph(record, imported, source, place)
}

interface RecordPlace extends Omit<FoundRecord, 'record'> {
  /** The file of the graph, as a person says. */
  readonly input: string | undefined
}

/** The first that is there. */
const archivedFile = (folder: string | undefined, ...names: readonly string[]): string | undefined =>
  folder === undefined ? undefined : names.map((name) => join(folder, name)).find((path) => existsSync(path))

async function graphOfArchive(
  record: Pick<RunRecord, 'dataset'>,
  source: string,
  { archived }: RecordPlace,
  place: Workplace,
  shell: Shell,
): Promise<string> {
  const { name, checksum, source: sourceName } = record.dataset
  const [labels, vertices] = ['labels.txt', 'vertices.csv'].map((file) => archivedFile(archived, file))
  const asked = {
    source,
    sourceName: basename(sourceName),
    labels,
    vertices,
    name: `${name}-${checksum.slice(0, 8)}`,
    reuse: true,
  }
  const imported = await place.service.call('datasets.import', asked, shell.job)
  return sameGraph(record, imported, source, place)
}

/** A file of the same name beside the record. */
function besideRecord(file: string, { folder }: RecordPlace): string | undefined {
  const path = folder === undefined || existsSync(file) ? undefined : join(folder, basename(file))
  return path !== undefined && existsSync(path) ? path : undefined
}

function sourceOf(source: string, where: RecordPlace): string {
  const found = where.input ?? (existsSync(source) ? source : besideRecord(source, where))
  if (found !== undefined) return found
  const what =
    'no dataset of the library has the graph of the record, and this file is neither here nor beside the record'
  throw inputFailure(source, what, 'Name it with --input FILE, or import it, with any name.')
}

/** The name of what was made, if it has the graph of the record. What is another goes again, unless it was there before. */
async function sameGraph(
  record: Pick<RunRecord, 'dataset'>,
  { dataset: again, reused = false }: { readonly dataset: Dataset; readonly reused?: boolean },
  where: string,
  { service }: Workplace,
): Promise<string> {
  const { checksum } = record.dataset
  if (again.checksum === checksum) return again.name
  if (!reused) await service.call('datasets.remove', { name: again.name })
  throw inputFailure(
    where,
    `this file does not give the graph of the record, whose checksum is ${checksum}`,
    'It was changed, or imported with options that the record does not have: import it as it was, with any name.',
  )
}

/** Lists of the record under their options, for a run whose files may be others today, or elsewhere. */
function listsOfRecord(
  { lists = {}, request, run }: RunRecord,
  scratch: string,
  { folder, archived }: FoundRecord,
  library: Pick<Library, 'runFolder'>,
): Readonly<Record<string, string>> {
  const files = Object.entries(lists).map(([option, { sha256, text }]) => {
    if (text !== undefined) {
      const file = join(scratch, `${option}.txt`)
      writeFileSync(file, text)
      return [option, file] as const
    }
    const asked = String(optionsOf(request)[option as 'keepFile'])
    const kept = `${option.replace(/File$/, '')}.txt`
    const file =
      archivedFile(archived, kept) ??
      archivedFile(folder, basename(asked)) ??
      archivedFile(library.runFolder(run), kept) ??
      asked
    const sum = existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'none: it is gone'
    if (sum === sha256) return [option, file] as const
    throw inputFailure(
      file,
      `this list is another than that of the record: its SHA-256 is ${sum}`,
      `Bring back the one with ${sha256}.`,
    )
  })
  return Object.fromEntries(files)
}

function otherHash({ hash, request }: RunRecord, found: string | null, where: string): Failure {
  const lists = ['columnFile', 'keepFile', 'excludeFile'].filter((name) => Object.hasOwn(request, name))
  return verificationFailure(
    where,
    `the result has the hash ${found}, and the record says ${hash}`,
    lists.length > 0
      ? 'Are the files of its options as they were?'
      : 'A search until a time is up depends on the machine; anything else is a fault.',
  )
}
