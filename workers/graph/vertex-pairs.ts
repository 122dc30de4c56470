import { inputFailure } from '../base/failure.ts'
import type { Labels } from './labels.ts'
import { Matching, NO_MATE } from './matching.ts'
import { areEnds } from './table-names.ts'
import { bare, findVertex, meaningfulLines, vertexOf } from './vertex-lists.ts'

/** What may stand between the fields of a line, in the order in which it is tried: a label may hold what comes later. */
const SEPARATORS = ['\\t', ',', ';', '[,;\\t]', '[ \\t\\v\\f]+'].map((separator) => ({
  isIn: new RegExp(separator),
  // What is quoted up to a separator, as in CSV, may hold separators.
  field: new RegExp(`(?:^|${separator}) *("(?:[^"]|"")*"(?= *(?:${separator}|$))|(?:(?!${separator})[^])*)`, 'g'),
}))
const [BETWEEN, BLANKS] = [SEPARATORS[3]!, SEPARATORS[4]!]

/**
 * Reads a matching of any program: a pair of labels a line, with a comma, semicolon or tab between them, or blanks where there is
 * none of these; further fields, such as a weight, are passed over, and so is a first line of names of columns.
 * @throws Failure (input) for a label that the graph has not, or a vertex that stands in two pairs
 */
export function readVertexPairs(path: string, labels: Labels, vertices: number): Matching {
  const mates = new Uint32Array(vertices).fill(NO_MATE)
  for (const { line, text } of meaningfulLines(path, labels)) {
    const where = `${path}:${line}`
    const fields = fieldsIn(text, labels)
    if (fields.length < 2)
      throw inputFailure(where, 'this is no pair of vertices', 'Write one pair a line, such as 17,4.')
    const [a = '', b = ''] = fields
    if (line === 1 && vertexOf(labels, a) < 0 && vertexOf(labels, b) < 0 && areNames(labels, a, b)) continue
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

/** The fields of a line: as they make two labels, or, where they do not, between the separators that it holds. */
function fieldsIn(text: string, labels: Labels): readonly string[] {
  const isLabel = (field: string | undefined): boolean => field !== undefined && vertexOf(labels, field) >= 0
  for (const { isIn, field } of SEPARATORS) {
    const fields = isIn.test(text) ? fieldsOf(text, field) : []
    if (isLabel(fields[0]) && isLabel(fields[1])) return fields
  }
  return fieldsOf(text, (BETWEEN.isIn.test(text) ? BETWEEN : BLANKS).field)
}

const fieldsOf = (text: string, field: RegExp): string[] =>
  Array.from(text.matchAll(field), ([, found]) => bare(found!))

/** Among numbers any two words are names of columns; among words only those that name the ends of an edge, as others may be misspelt. */
function areNames({ kind }: Labels, a: string, b: string): boolean {
  const isNumber = (field: string): boolean => field.trim() !== '' && Number.isFinite(Number(field))
  if (isNumber(a) || isNumber(b)) return false
  return kind !== 'text' || areEnds(a, b)
}
