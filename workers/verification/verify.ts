import { closeSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { asFailure, inputFailure } from '../failure.ts'
import { GaloisGr, readFully } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import { openLabels } from '../graph/labels.ts'
import { readVertexList } from '../graph/vertex-lists.ts'
import { VertexSet } from '../graph/vertex-set.ts'
import type { JobContext } from '../job.ts'
import type { Verdict, VerifyArgs } from '../jobs.ts'
import { verifyIndependentSet } from './verify-independent-set.ts'

/** Job `verify`: a set from a run or from any program, against the canonical graph of a dataset. */
export function verify(args: VerifyArgs, job: JobContext): Verdict {
  const graph = GaloisGr.open(join(args.folder, 'graph.gr'))
  try {
    const labels = openLabels(args.folder, graph.vertices)
    const set = readSet(args.set, labels, graph.vertices)
    const exclude =
      args.excludeFile === undefined ? undefined : readVertexList(args.excludeFile, labels, graph.vertices)
    return verifyIndependentSet(graph, labels, set, exclude, job)
  } finally {
    graph.close()
  }
}

function readSet(set: VerifyArgs['set'], labels: Labels, vertices: number): VertexSet {
  switch (set.kind) {
    case 'ids':
      return readVertexList(set.file, labels, vertices)
    case 'bits':
      return readBits(set.file, vertices)
  }
}

/** Reads the bit vector of a run. @throws Failure (input) when its length does not fit the graph. */
export function readBits(path: string, vertices: number): VertexSet {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    throw asFailure(error, path)
  }
  try {
    const bytes = new Uint8Array(Math.ceil(vertices / 8))
    if (fstatSync(file).size !== bytes.length)
      throw inputFailure(
        path,
        `${fstatSync(file).size} bytes are no bit vector of ${vertices} vertices`,
        'Is it the result of another dataset?',
      )
    readFully(file, bytes, 0, path)
    return new VertexSet(vertices, bytes)
  } finally {
    closeSync(file)
  }
}
