import { readFileSync } from 'node:fs'
import { asFailure, inputFailure } from '../base/failure.ts'
import type { Labels } from './labels.ts'
import { VertexSet } from './vertex-set.ts'

/** The lines of a small text file that say something: no blank lines, no comments (# that begins no label); numbers count from 1. */
export function* meaningfulLines(path: string, labels: Labels): Generator<{ line: number; text: string }> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw asFailure(error, path)
  }
  let line = 0
  for (const raw of text.split('\n')) {
    line++
    const trimmed = raw.trim()
    if (trimmed !== '' && !isComment(trimmed, labels)) yield { line, text: trimmed }
  }
}

/** A label may begin with # itself, alone in its line or in front of others. */
function isComment(text: string, labels: Labels): boolean {
  if (!text.startsWith('#') || labels.find(text) >= 0) return false
  const [beforeSeparator = '', beforeBlank = ''] = [text.split(/[,;\t]/)[0], text.split(/\s/)[0]]
  return labels.find(beforeSeparator.trim()) < 0 && labels.find(beforeBlank) < 0
}

export function findVertex(labels: Labels, label: string, where: string): number {
  const v = labels.find(label)
  if (v < 0)
    throw inputFailure(where, `the graph has no vertex ${JSON.stringify(label)}`, 'Is this list for another dataset?')
  return v
}

/**
 * Reads a set of vertices: one label a line, in any order.
 * @throws Failure (input) for a label that the graph has not, or that stands there twice.
 */
export function readVertexList(path: string, labels: Labels, vertices: number): VertexSet {
  const set = new VertexSet(vertices)
  for (const { line, text } of meaningfulLines(path, labels)) {
    const where = `${path}:${line}`
    const v = findVertex(labels, text, where)
    if (set.has(v))
      throw inputFailure(
        where,
        `vertex ${JSON.stringify(text)} is listed a second time`,
        'Remove one of the two lines.',
      )
    set.add(v)
  }
  return set
}

/**
 * Reads one finite value for every vertex: `label,value` lines (comma, semicolon or tab), with or without a header line.
 * @throws Failure (input) for a missing, repeated or unknown vertex and for a value that is no finite number.
 */
export function readVertexColumn(path: string, labels: Labels, vertices: number): Float64Array {
  const column = new Float64Array(vertices).fill(Number.NaN)
  let seen = 0
  for (const { line, text } of meaningfulLines(path, labels)) {
    const where = `${path}:${line}`
    const cut = Math.max(text.lastIndexOf(','), text.lastIndexOf(';'), text.lastIndexOf('\t'))
    const value = cut < 0 ? Number.NaN : Number(text.slice(cut + 1).trim() || Number.NaN)
    const label = text.slice(0, Math.max(0, cut)).trim()
    if (line === 1 && !Number.isFinite(value) && labels.find(label) < 0) continue
    if (!Number.isFinite(value))
      throw inputFailure(
        where,
        'this is not "label,value" with a finite number',
        'Write one line a vertex, such as 17,0.25.',
      )
    const v = findVertex(labels, label, where)
    if (!Number.isNaN(column[v]!))
      throw inputFailure(where, `vertex ${JSON.stringify(label)} has a value already`, 'Remove one of the two lines.')
    column[v] = value
    seen++
  }
  if (seen < vertices) {
    const missing = labels.of(column.findIndex((value) => Number.isNaN(value)))
    throw inputFailure(
      path,
      `${vertices - seen} of ${vertices} vertices have no value, the first is ${JSON.stringify(missing)}`,
      'Give every vertex a value.',
    )
  }
  return column
}
