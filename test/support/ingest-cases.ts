import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { Failure, type FailureValue } from '../../workers/base/failure.ts'
import { GaloisGr } from '../../workers/graph/galois-gr.ts'
import { type Labels, openLabels } from '../../workers/graph/labels.ts'
import { sampleGraphFile, requireRoomForImport, sampleGraphFiles } from '../../workers/import/estimate.ts'
import { importGraph } from '../../workers/import/import-graph.ts'
import { knownFile } from '../../workers/import/reading/known-file.ts'
import type { ImportTuning } from '../../workers/import/reader/import-resources.ts'
import { type JobContext, quietJob } from '../../workers/base/job.ts'
import type { DatasetFacts, FormatName, ImportArgs, ImportReport } from '../../workers/contract/jobs.ts'

/** A graph as a test compares it: labels and, for each arc, its weight. */
export interface ReadDataset {
  readonly labels: readonly string[]
  /** "a b" or "a b weight" for each arc, in the order of the file. */
  readonly arcs: readonly string[]
  readonly graphBytes: Buffer
  readonly report: ImportReport
}

/** A folder for one test, empty before it and gone after it. */
export class Workplace {
  path = ''
  #imports = 0

  constructor() {
    beforeEach(() => {
      this.path = mkdtempSync(join(tmpdir(), 'ingest-'))
    })
    afterEach(() => rmSync(this.path, { recursive: true, force: true }))
  }

  file(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name)
    writeFileSync(path, content)
    return path
  }

  newFolder(): string {
    return join(this.path, `dataset-${this.#imports++}`)
  }

  /** Imports a text under a name, and reads back what was written. */
  async imported(
    name: string,
    content: string | Uint8Array,
    options: Partial<ImportArgs> = {},
    tuning: ImportTuning = {},
  ): Promise<ReadDataset & { readonly facts: DatasetFacts }> {
    const folder = this.newFolder()
    const facts = await importGraph({ source: this.file(name, content), folder, ...options }, quietJob, tuning)
    return Object.assign(readDataset(folder), { facts })
  }

  /** The failure of an import that must fail, after checking that it left nothing behind. */
  async refused(source: string, options: Partial<ImportArgs> = {}, job: JobContext = quietJob): Promise<FailureValue> {
    const before = readdirSync(this.path)
    const failure = await failureOf(importGraph({ source, folder: this.newFolder(), ...options }, job))
    expect(readdirSync(this.path)).toEqual(before)
    return failure
  }
}

/** What a file will come to. @throws Failure as an import */
export const estimated = async (source: string, format?: FormatName) =>
  sampleGraphFile(await knownFile({ source, format }))

/** @throws Failure (storage) where the disk has no room for the import of a file */
export const requireRoom = async (source: string, folder: string): Promise<void> =>
  requireRoomForImport(await sampleGraphFiles({ source }), 1 << 30, folder)

/** @throws when the promise fulfils, or fails with anything but a Failure. */
export async function failureOf(promise: Promise<unknown>): Promise<FailureValue> {
  const error: unknown = await promise.then(
    () => new Error('this should have failed'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Failure)) throw error
  return error.toValue()
}

export function readDataset(folder: string): ReadDataset {
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  const labels: Labels = openLabels(folder, graph.vertices)
  const offsets = graph.readOffsets(0, graph.vertices)
  const targets = graph.readTargets(0, graph.arcs)
  const weights = graph.weighted ? graph.readValues(0, graph.arcs) : null
  const arcsInWords = (): string[] => {
    const arcs: string[] = []
    for (let u = 0; u < graph.vertices; u++)
      for (let i = offsets[u]!; i < offsets[u + 1]!; i++)
        arcs.push(`${labels.of(u)} ${labels.of(targets[i]!)}${weights === null ? '' : ` ${weights[i]}`}`)
    return arcs
  }
  let arcs: string[] | undefined
  graph.close()
  return {
    labels: Array.from({ length: graph.vertices }, (_, v) => labels.of(v)),
    // Made when it is asked for: of large graphs it takes longer than the import.
    get arcs() {
      return (arcs ??= arcsInWords())
    },
    graphBytes: readFileSync(join(folder, 'graph.gr')),
    report: JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as ImportReport,
  }
}

/** Symmetric, no loops, no duplicates, neighbours ascending, weights the same both ways: what every dataset must be. */
export function expectCanonical(folder: string): void {
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  const offsets = graph.readOffsets(0, graph.vertices)
  const targets = graph.readTargets(0, graph.arcs)
  const weights = graph.weighted ? graph.readValues(0, graph.arcs) : new Float32Array(graph.arcs).fill(1)
  graph.close()
  // Arcs by number: v of u is u * n + v.
  const n = graph.vertices
  const weightOf = new Map<number, number>()
  for (let u = 0; u < n; u++) {
    for (let i = offsets[u]!; i < offsets[u + 1]!; i++) {
      if (targets[i] === u) throw new Error(`loop at ${u}`)
      if (i > offsets[u]! && targets[i]! <= targets[i - 1]!) throw new Error(`neighbours of ${u} do not ascend`)
      weightOf.set(u * n + targets[i]!, weights[i]!)
    }
  }
  for (const [arc, weight] of weightOf) {
    const [u, v] = [Math.floor(arc / n), arc % n]
    if (weightOf.get(v * n + u) !== weight) throw new Error(`${u} ${v} has no equal in the other direction`)
    if (!(weight > 0)) throw new Error(`${u} ${v} has the weight ${weight}`)
  }
}

/** arcs = entries - loopsRemoved - duplicatesMerged + reverseArcsAdded. */
export function expectConserved(report: ImportReport): void {
  expect(report.entries - report.loopsRemoved - report.duplicatesMerged + report.reverseArcsAdded).toBe(report.arcs)
}

/** The edges of a dataset, each once, the lower vertex first: "a b" or "a b weight". */
export function edgesOf({
  labels,
  arcs,
}: {
  readonly labels: readonly string[]
  readonly arcs: readonly string[]
}): string[] {
  const ranks = new Map(labels.map((label, v) => [label, v]))
  return arcs.filter((arc) => {
    const [a, b] = endsOf(arc, ranks)
    return ranks.get(a)! < ranks.get(b)!
  })
}

/** The two labels of an arc, before its weight if it has one; labels may hold blanks. */
function endsOf(arc: string, ranks: ReadonlyMap<string, number>): [string, string] {
  const words = arc.split(' ')
  for (let i = 1; i < words.length; i++)
    for (const end of [words.length, words.length - 1]) {
      const [a, b] = [words.slice(0, i).join(' '), words.slice(i, end).join(' ')]
      if (ranks.has(a) && ranks.has(b)) return [a, b]
    }
  throw new Error(`no labels in ${arc}`)
}
