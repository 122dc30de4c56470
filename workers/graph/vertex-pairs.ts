import { inputFailure } from '../base/failure.ts'
import type { Labels } from './labels.ts'
import { Matching, NO_MATE } from './matching.ts'
import { areEnds } from './table-names.ts'
import { findVertex, meaningfulLines } from './vertex-lists.ts'

/**
 * Reads a matching of any program: a pair of labels a line, with a comma, semicolon or tab between them, or blanks where there is
 * none of these; further fields, such as a weight, are passed over, and so is a first line of names of columns.
 * @throws Failure (input) for a label that the graph has not, or a vertex that stands in two pairs
 */
export function readVertexPairs(path: string, labels: Labels, vertices: number): Matching {
  const mates = new Uint32Array(vertices).fill(NO_MATE)
  for (const { line, text } of meaningfulLines(path, labels)) {
    const where = `${path}:${line}`
    const fields = text
      .split(/[,;\t]/.test(text) ? /[,;\t]/ : /\s+/)
      .map((field) => field.trim().replace(/^"(.*)"$/, '$1'))
    if (fields.length < 2)
      throw inputFailure(where, 'this is no pair of vertices', 'Write one pair a line, such as 17,4.')
    const [a = '', b = ''] = fields
    if (line === 1 && labels.find(a) < 0 && labels.find(b) < 0 && areNames(labels, a, b)) continue
    const [u, v] = [findVertex(labels, a, where), findVertex(labels, b, where)]
    for (const [vertex, label] of [
      [u, a],
      [v, b],
    ] as const)
      if (mates[vertex] !== NO_MATE || u === v)
        throw inputFailure(where, `vertex ${JSON.stringify(label)} stands in two pairs`, 'This is no matching.')
    mates[u] = v
    mates[v] = u
  }
  return new Matching(mates)
}

/** Among numbers any two words are names of columns; among words only those that name the ends of an edge, as others may be misspelt. */
function areNames({ kind }: Labels, a: string, b: string): boolean {
  const isNumber = (field: string): boolean => field.trim() !== '' && Number.isFinite(Number(field))
  if (isNumber(a) || isNumber(b)) return false
  return kind !== 'text' || areEnds(a, b)
}
