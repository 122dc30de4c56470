/**
 * Archives of runs: one tar file by which others check and repeat a run without the library, or this program. It has the record, the
 * lists that the run was given, the result in the ids of the graph, what proves its bound (of a set a matching, of a
 * matching or b-matching prices), what the vertices are called, the graph as it is stored, a checker of its own in Python (resources/archive/check.py), and SHA256SUMS over all of them.
 * Both are the verifier's; the graph passes by in pieces, each compared with its checksum.
 */

import { closeSync, createReadStream, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadAlgorithm } from '../algorithms/registry.ts'
import { asFailure, atPath, Failure, inputFailure } from '../base/failure.ts'
import { openFile, writeFully } from '../base/file-bytes.ts'
import { type JobContext, throwIfCancelled, YieldScheduler } from '../base/job.ts'
import { OutputFile } from '../base/output-file.ts'
import { PIECE_BYTES, pieceBytes, piecesOf } from '../base/sums.ts'
import { bytesOf } from '../base/words.ts'
import type { ArchiveArgs, ArchiveOutcome, MatchingSource, UnpackArgs } from '../contract/jobs.ts'
import { resultLines } from '../export/export-set.ts'
import { csvTable, openExportedAttributes, rowsOf, textChunks } from '../export/exported-file.ts'
import { TarFile } from '../export/tar-file.ts'
import { GaloisGr, openGraph } from '../graph/galois-gr.ts'
import { GRAPH_FILE } from '../graph/graph-file.ts'
import { labelLines, type Labels, openLabels } from '../graph/labels.ts'
import { Matching, readMates } from '../graph/matching.ts'
import { readBits } from '../graph/vertex-set.ts'
import { writeBytes } from '../import/containers/compressions.ts'
import { readTar } from '../import/containers/tar.ts'
import { verifyIndependentSet } from '../verify/verify-independent-set.ts'
import { verifyMatching } from '../verify/verify-matching.ts'
import { storedResult } from './verify-result.ts'
import checker from '../../resources/archive/check.py?raw'

const SUMS_FILE = 'SHA256SUMS'

/** Job `archive`. @throws Failure (input) for a damaged graph or result; (storage); (cancelled) */
export async function archiveRun(args: ArchiveArgs, job: JobContext): Promise<ArchiveOutcome> {
  const { folder, checksum, output, record, lists, withGraph } = args
  const graph = openGraph(folder, checksum, job)
  const file = new OutputFile(output)
  try {
    if (file.isStream) throw inputFailure(output, 'an archive is not written to a pipe or device', 'Name a file.')
    const labels = openLabels(folder, graph.vertices)
    const scheduler = new YieldScheduler(job)
    const tar = new TarFile(file, output, args.name, new Date(args.time))
    await tar.add('record.json', [Buffer.from(record)])
    for (const list of lists) await tar.add(list.name, [atPath(list.file, () => readFileSync(list.file))])
    await tar.add('result.txt', await resultLines(args, graph, labels, job))
    const certificate = args.withCertificate ? await certificateOf(args, graph, labels, job) : undefined
    if (certificate !== undefined) await tar.add('certificate.txt', textChunks(certificate))
    if (labels.kind !== 'dense' || labels.of(0) !== '0')
      await tar.add('labels.txt', textChunks(labelLines(labels, graph.vertices)))
    if (args.withAttributes) await addVertices(tar, folder, graph, labels)
    if (withGraph)
      await tar.add(/\.egr$/i.test(graph.path) ? 'graph.egr' : 'graph.gr', piecesIn(graph), (done) =>
        scheduler.yield({ phase: 'write', done, total: graph.checked.bytes, unit: 'bytes' }),
      )
    await tar.add('check.py', [Buffer.from(checker)])
    await tar.add(SUMS_FILE, [Buffer.from(tar.sums.join(''))])
    const bytes = tar.end()
    file.finish()
    return { files: [output], bytes }
  } finally {
    file.discard()
    graph.close()
  }
}

/** A table of the vertices, with their attributes. */
async function addVertices(tar: TarFile, folder: string, { vertices }: GaloisGr, labels: Labels): Promise<void> {
  const attributes = await openExportedAttributes(folder, vertices)
  try {
    await tar.add('vertices.csv', csvTable({ keys: ['id'], rows: rowsOf(vertices) }, { labels, attributes }))
  } finally {
    attributes.close()
  }
}

/** The lines of what proves the bound of a result; undefined: nothing does. */
async function certificateOf(
  args: ArchiveArgs,
  graph: GaloisGr,
  labels: Labels,
  job: JobContext,
): Promise<Iterable<string> | undefined> {
  const { kind, resultFile, matching, claim, folder } = args
  if (kind === 'independent-set') return pairsOf(resultFile, graph, labels, job)
  if (matching !== undefined) return pricesFor(matching, graph, labels, job)
  const { verifier } = claim === undefined ? {} : await loadAlgorithm(claim.algorithm)
  const prices = await verifier?.prices?.(storedResult(claim!, folder, graph, labels), job)
  return prices && priceLines(prices)
}

/** A matching by internal ids: no independent set has both ends of a pair. */
async function pairsOf(
  resultFile: string,
  graph: GaloisGr,
  labels: Labels,
  job: JobContext,
): Promise<Iterable<string>> {
  let found: Uint32Array = new Uint32Array(0)
  const set = readBits(resultFile, graph.vertices)
  await verifyIndependentSet(graph, labels, set, undefined, job, {}, (mates) => (found = mates))
  return pairLines(found)
}

/** A price for each vertex, by internal ids: no matching weighs more than all of them, where the two at each edge pay for it. */
async function pricesFor(
  { file, dominant, ...order }: MatchingSource,
  graph: GaloisGr,
  labels: Labels,
  job: JobContext,
): Promise<Iterable<string>> {
  let found: Float64Array = new Float64Array(0)
  const claim = { matching: readMates(file, graph.vertices), order, dominant }
  await verifyMatching(graph, labels, claim, job, {}, (prices) => (found = prices))
  return priceLines(found)
}

function* priceLines(prices: Float64Array): Generator<string> {
  for (const price of prices) yield `${price}\n`
}

function* pairLines(mates: Uint32Array): Generator<string> {
  for (const [u, v] of new Matching(mates).pairs()) yield `${u} ${v}\n`
}

function* piecesIn({ checked }: GaloisGr): Generator<Uint8Array> {
  for (let piece = 0; piece < piecesOf(checked.bytes); piece++)
    yield checked.read(piece * PIECE_BYTES, pieceBytes(checked.bytes, piece))
}

/** What is taken out of an archive: whatever else there is belongs to others. */
const known = /^(?:record\.json|(?:keep|exclude|column)\.txt|labels\.txt|vertices\.csv|graph\.e?gr|SHA256SUMS)$/

/** Job `unpack`: what a run is repeated by, into a folder. @throws Failure (input) for what is no archive; (storage); (cancelled) */
export async function unpackArchive({ archive, folder }: UnpackArgs, job: JobContext): Promise<{ names: string[] }> {
  const names: string[] = []
  const damaged = (what: string): Failure =>
    inputFailure(
      archive,
      `this is no archive of a run: ${what}`,
      'Name a file that "archive" wrote, or a record .run.json.',
    )
  mkdirSync(folder, { recursive: true })
  try {
    for await (const member of readTar(createReadStream(archive, { highWaterMark: PIECE_BYTES }), damaged)) {
      const name = basename(member.name)
      if (!known.test(name) || names.includes(name)) continue
      names.push(name)
      await writeBytes(member.chunks(), join(folder, name), () => throwIfCancelled(job.signal))
    }
  } catch (error) {
    throw asFailure(error, archive)
  }
  if (!names.includes('record.json')) throw damaged('it has no record.json')
  if (names.includes(GRAPH_FILE)) await widen(folder, job)
  return { names }
}

const ARCS_AT_ONCE = 1 << 18

/** Writes weights of 64 bits, which stand behind a stored graph, for each arc: so that they are read as of other programs. */
async function widen(folder: string, job: JobContext): Promise<void> {
  const graph = GaloisGr.inFolder(folder)
  const [path, aside] = [join(folder, GRAPH_FILE), join(folder, `wide-${GRAPH_FILE}`)]
  try {
    if (!graph.hasValues) return
    const { vertices, arcs } = graph
    const scheduler = new YieldScheduler(job)
    const output = openFile(aside, 'wx')
    const write = (words: ArrayBufferView): void => writeFully(output, bytesOf(words), null, aside)
    try {
      write(BigUint64Array.of(1n, 8n, BigInt(vertices), BigInt(arcs)))
      await scheduler.over(vertices, ARCS_AT_ONCE, { phase: 'write', done: 0, unit: 'vertices' }, (first, end) =>
        write(BigUint64Array.from(graph.readOffsets(first, end).subarray(1), BigInt)),
      )
      const progress = { phase: 'write', done: 0, unit: 'arcs' } as const
      await scheduler.over(arcs, ARCS_AT_ONCE, progress, (first, end) => write(graph.readTargets(first, end)))
      write(new Uint8Array(4 * (arcs % 2)))
      await scheduler.over(arcs, ARCS_AT_ONCE, progress, (first, end) =>
        write(Float64Array.from(graph.readValues(first, end))),
      )
    } finally {
      closeSync(output)
    }
  } finally {
    graph.close()
  }
  renameSync(aside, path)
}
