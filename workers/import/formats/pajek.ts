/**
 * Pajek networks (A. Mrvar, V. Batagelj, "Pajek: Program for Analysis and Visualization of Large Networks", reference manual): sections of lines
 * under `*Vertices n`, `*Arcs`, `*Edges`, `*Arcslist`, `*Edgeslist` and `*Matrix`, in any case. Vertices are the numbers 1 to n, whether or not a
 * line describes them; their names and coordinates are attributes, and the first value of an edge is its weight. A two-mode network (`*Vertices n
 * n1`) is bipartite; partitions and vectors of a project, and times, are left out and counted. A first pass finds the number of vertices and whether
 * lines have values; a second one makes entries. Memory holds a line. graph-elements.ts and its kin have formats with named fields.
 */

import { counted } from '../../base/counted.ts'
import { excerpt } from '../../base/failure.ts'
import { MAX_VERTICES, type ReaderContext, type WholeReading } from '../reader/graph-reader.ts'
import { numberOf } from '../reader/numbers.ts'
import { BadRow } from '../reader/policies.ts'
import { LinesParser, textElements } from './graph-elements.ts'
import type { WholeFormat } from './graph-format.ts'
import type { StoredFile } from './stored-file.ts'

/** The longest line. */
const LONGEST_MIB = 4
const coordinates = ['x', 'y', 'z'] as const
const sections = ['network', 'vertices', 'arcs', 'edges', 'arcslist', 'edgeslist', 'matrix'] as const
type Section = (typeof sections)[number]
/** Parts of a Pajek project that are no networks; lines "*Vertices" count their values. */
const otherSection = /^\*\s*(?:partition|permutation|vector|cluster|hierarchy)\b/i
/** When a vertex or an edge is there: "[5-10,12-*]". */
const times = /^\[[\d,*-]+\]$/
/** A text in quotes, or a word. */
const token = /"([^"]*)"|([^\s"]+)/g

class PajekParser extends LinesParser {
  vertices = 0
  /** Vertices of the first mode; null for one mode. */
  first: number | null = null
  networks = 0
  hasValues = false
  withoutValue = 0
  /** Parts of a project that are no networks. */
  others = 0
  /** Vertices and edges that are there for a time. */
  timed = 0
  #section: Section | 'other' | null = null
  #row = 0

  constructor(file: StoredFile) {
    super(file, LONGEST_MIB)
  }

  override finish(): void {
    super.finish()
    this.#endMatrix()
    if (this.networks === 0)
      throw this.failure('there is no line "*Vertices" in this file', 'Is it a network of Pajek?')
  }

  protected add(text: string): void {
    const line = text.trim()
    if (line === '' || line.startsWith('%')) return
    if (line.startsWith('*')) return this.#begin(line)
    const words = [...line.matchAll(token)].map(([, quoted, word]) => quoted ?? word!)
    switch (this.#section) {
      case null:
        throw this.failure(`"${excerpt(line)}" stands above "*Vertices"`, 'Is it a network of Pajek?')
      case 'vertices':
        return this.#vertex(words)
      case 'arcs':
      case 'edges':
        return this.#tie(words)
      case 'arcslist':
      case 'edgeslist':
        for (const other of words.slice(1)) this.#entry(words[0]!, other, undefined)
        return
      case 'matrix':
        return this.#matrixRow(words)
      case 'network':
      case 'other':
    }
  }

  #begin(line: string): void {
    this.#endMatrix()
    if (otherSection.test(line)) {
      this.#section = 'other'
      this.others++
      return
    }
    const [, name = '', rest = ''] = /^\*\s*([a-z]*)(.*)$/i.exec(line) ?? []
    const section = sections.find((each) => each === name.toLowerCase())
    if (this.#section === 'other' && section === 'vertices') return
    if (section === undefined)
      throw this.failure(
        `the section "${excerpt(line)}" is not known`,
        `Known are ${sections.map((each) => `*${each}`).join(', ')}.`,
      )
    this.#section = section
    this.#row = 0
    if (section !== 'vertices') {
      if (section !== 'network' && this.networks === 0)
        throw this.failure(`"*${name}" stands above "*Vertices"`, 'Write the vertices first.')
      return
    }
    if (++this.networks > 1) throw this.failure('the file holds several networks', 'Write each to a file of its own.')
    const [n, first, ...more] = rest.trim().split(/\s+/)
    if (
      !/^\d{1,10}$/.test(n ?? '') ||
      Number(n) > MAX_VERTICES ||
      more.length > 0 ||
      !/^\d*$/.test(first ?? '') ||
      Number(first ?? 0) > Number(n)
    )
      throw this.failure(`the line reads "${excerpt(line)}"`, 'Write: *Vertices n, or *Vertices n n1 for two modes.')
    this.vertices = Number(n)
    this.first = first === undefined ? null : Number(first)
  }

  #vertex([number = '', label, ...rest]: readonly string[]): void {
    this.#requireVertex(number)
    const values = this.fields()
    values.set('id', Number(number))
    if (label !== undefined) values.set('label', label)
    if (rest.some((word) => times.test(word))) this.timed++
    for (const [i, name] of coordinates.entries()) {
      const value = numberOf(rest[i] ?? '')
      if (rest[i] === undefined || Number.isNaN(value)) break
      values.set(name, value)
    }
    this.ended('node', values)
  }

  #tie(words: readonly string[]): void {
    const [source = '', target = '', value] = words
    if (target === '')
      throw this.failure(`"${excerpt(words.join(' '))}" is no pair of vertices`, 'Write: u v, or u v value.')
    if (words.slice(2).some((word) => times.test(word))) this.timed++
    // What follows a value, or a word in its place, says how to draw the line.
    const isValue = value !== undefined && !Number.isNaN(numberOf(value))
    this.#entry(source, target, isValue ? value : undefined)
  }

  #matrixRow(words: readonly string[]): void {
    const [rows, columns] = this.#shape
    this.#row++
    if (this.#row > rows || words.length !== columns)
      throw this.failure(
        this.#row > rows
          ? `the matrix has more than ${rows} rows`
          : `the row has ${words.length} values, and the matrix ${columns} columns`,
        'Is the number of vertices right?',
      )
    for (const [j, value] of words.entries()) {
      const number = numberOf(value)
      if (Number.isNaN(number)) throw this.failure(`"${excerpt(value)}" is no number`, 'Mend the row.')
      if (number !== 0) this.#entry(String(this.#row), String(j + 1 + (this.first ?? 0)), value)
    }
  }

  get #shape(): readonly [rows: number, columns: number] {
    return this.first === null ? [this.vertices, this.vertices] : [this.first, this.vertices - this.first]
  }

  #endMatrix(): void {
    if (this.#section !== 'matrix' || this.#row === this.#shape[0]) return
    throw this.failure(`the matrix ends after ${this.#row} of ${this.#shape[0]} rows`, 'Is the file complete?')
  }

  #entry(source: string, target: string, weight: string | undefined): void {
    const values = this.fields()
    values.set('source', this.#requireVertex(source))
    // In lists a minus marks the end of one.
    values.set('target', this.#requireVertex(target))
    if (weight !== undefined) values.set('weight', weight)
    if (weight === undefined) this.withoutValue++
    else this.hasValues = true
    this.ended('edge', values)
  }

  #requireVertex(word: string): number {
    const number = /^\d{1,10}$/.test(word) ? Number(word) : 0
    if (number >= 1 && number <= this.vertices) return number
    throw this.failure(
      `the vertex "${excerpt(word)}" is not one of 1 to ${this.vertices}`,
      'Is the number behind *Vertices right?',
    )
  }
}

async function* read(file: StoredFile, context: ReaderContext): WholeReading {
  const survey = new PajekParser(file)
  for await (const { readBytes } of textElements(() => survey)(file)) yield readBytes / 2
  const isWeighted = survey.hasValues && !context.ignoreWeights
  context.output.weighted = isWeighted
  context.output.next()
  for await (const { elements, readBytes } of textElements((each) => new PajekParser(each))(file)) {
    for (const { kind, values, place } of elements) {
      if (kind === 'node') continue
      const text = String(values.get('weight') ?? 1)
      try {
        const weight = isWeighted ? context.weights.apply(numberOf(text), () => place, text) : 1
        if (weight !== null)
          context.output.add(Number(values.get('source')) - 1, Number(values.get('target')) - 1, weight)
      } catch (error) {
        if (!(error instanceof BadRow)) throw error
        context.rows.skip(error)
      }
    }
    yield (file.bytes + readBytes) / 2
  }
  const { vertices, first, withoutValue, others, timed } = survey
  return {
    vertices: { kind: 'counted', vertices, base: 1 },
    warnings: [
      ...(isWeighted && withoutValue > 0
        ? [`${counted(withoutValue, 'line has', 'lines have')} no value and got 1`]
        : []),
      ...(others > 0 ? [`${others} partitions, vectors and the like of the project were left out`] : []),
      ...(timed > 0
        ? [`${counted(timed, 'time was', 'times were')} left out: vertices and edges stand for all times`]
        : []),
    ],
    ...(first === null ? {} : { sides: { left: first, right: vertices - first } }),
  }
}

export const pajek: WholeFormat = {
  kind: 'whole',
  name: 'pajek',
  firstId: 1,
  isText: true,
  recognise: (head) =>
    /^(?:\s|%[^\n]*\n)*\*(?:network\b[^\n]*\n(?:\s|%[^\n]*\n)*\*)?vertices\b/i.test(head)
      ? 'it begins with *Vertices'
      : null,
  elements: textElements((file) => new PajekParser(file)),
  read,
}
