/**
 * Lists of vertices that people write, in their own ids: sets, pairs, columns of numbers, and conditions on attributes, degrees, names and
 * results. Files are read by the line, with comments, headers, quotes and several separators, and every refusal says file, line and what would
 * help. Memory is a bit or a number a vertex. run-lists.ts of the algorithms and the verifier read through it; attribute-filter.ts has
 * conditions.
 */

import { inputFailure } from '../base/failure.ts'
import { linesIn } from '../base/file-bytes.ts'
import type { AttributeValue, SetForm } from '../contract/jobs.ts'
import { type ColumnKind, columnsOf, compileFilter, parseFilter } from './attribute-filter.ts'
import { AttributeTable, VERTEX_TABLE } from './attribute-table.ts'
import { degreeRuns } from './degrees.ts'
import type { GaloisGr } from './galois-gr.ts'
import { denseLabels, type Labels } from './labels.ts'
import { Matching, NO_MATE } from './matching.ts'
import { areEnds } from './table-names.ts'
import { openVertexPlaces } from './vertex-places.ts'
import { VertexSet } from './vertex-set.ts'

const BLANKS = ' \t\r\v\f'
const BYTE_ORDER_MARK = '\ufeff'

/** A text without the blanks of ASCII around it; others that `trim` removes may belong to a label. */
function bare(text: string): string {
  let [first, end] = [0, text.length]
  while (first < end && BLANKS.includes(text[first]!)) first++
  while (end > first && BLANKS.includes(text[end - 1]!)) end--
  return text.slice(first, end)
}

/** Lines without blank ones and comments (# that begins no label); from 1. The blanks around them stay, which may belong to a label. */
function* meaningfulLines(path: string, labels: Labels): Generator<{ line: number; text: string }> {
  let line = 0
  for (const raw of linesIn(path)) {
    line++
    const text = withoutMark(raw.replace(/\r$/, ''), line, labels)
    const start = bare(text)
    if (start !== '' && !(start.startsWith('#') && !beginsWithLabel(start, labels))) yield { line, text }
  }
}

/** A byte order mark may also begin a label. */
function withoutMark(text: string, line: number, labels: Labels): string {
  const isMarked = line === 1 && text.startsWith(BYTE_ORDER_MARK) && !beginsWithLabel(bare(text), labels)
  return isMarked ? text.slice(1) : text
}

/** Whether a line is a label, or begins with one. */
function beginsWithLabel(text: string, labels: Labels): boolean {
  return (
    [/[,;\t]/, /\t/, /[ \t]/].some((separator) => labels.find(bare(text.split(separator, 1)[0]!)) >= 0) ||
    labels.find(text) >= 0
  )
}

/** The vertex of a text as it is, else without blanks around it, else without quotes; negative for none. */
function vertexOf(labels: Labels, text: string): number {
  const exact = labels.find(text)
  if (exact >= 0) return exact
  const label = bare(text)
  const v = labels.find(label)
  const isQuoted = v < 0 && label.length > 1 && label.startsWith('"') && label.endsWith('"')
  return isQuoted ? labels.find(label.slice(1, -1).replaceAll('""', '"')) : v
}

function findVertex(labels: Labels, text: string, where: string): number {
  const v = vertexOf(labels, text)
  if (v >= 0) return v
  const what = `the graph has no vertex ${JSON.stringify(bare(text))}`
  throw inputFailure(where, what, 'Is this list for another dataset?')
}

/** Results that were exported in another form: CSV, Parquet, NumPy. */
const NO_LIST = /^id,in(?:,|$)|^PAR1|^.NUMPY/

/** @throws Failure (input) for a label that is unknown, or listed twice */
export function readVertexList(path: string, labels: Labels, vertices: number): VertexSet {
  const set = new VertexSet(vertices)
  for (const { line, text } of meaningfulLines(path, labels)) {
    const where = `${path}:${line}`
    if (line === 1 && NO_LIST.test(text) && vertexOf(labels, text) < 0)
      throw inputFailure(path, 'this is a result, but no list of ids', 'Export it as ids: one id a line.')
    const v = findVertex(labels, text, where)
    if (set.has(v))
      throw inputFailure(where, `vertex "${bare(text)}" is listed a second time`, 'Remove one of the two.')
    set.add(v)
  }
  return set
}

/** A vector of two lines or fewer may as well be ids. */
const FEWEST_LINES = 3

/** Reads a set that another program wrote. @throws Failure (input) */
export function readSetOfOthers(path: string, form: SetForm, labels: Labels, vertices: number): VertexSet {
  if (form === 'ids') return readVertexList(path, labels, vertices)
  if (form === 'from-1') return readVertexList(path, denseLabels(vertices, 1), vertices)
  // As numbers: a comment is a comment whatever the graph's ids are.
  const set = new VertexSet(vertices)
  let [lines, wrong] = [0, 0]
  for (const { line, text: padded } of meaningfulLines(path, denseLabels(vertices, 0))) {
    const text = bare(padded)
    if (text !== '0' && text !== '1') wrong = line
    if (wrong > 0) break
    if (text === '1' && lines < vertices) set.add(lines)
    lines++
  }
  const isVector = wrong === 0 && lines === vertices
  if (form === 'auto' && !(isVector && vertices >= FEWEST_LINES)) return readVertexList(path, labels, vertices)
  if (wrong > 0)
    throw inputFailure(`${path}:${wrong}`, 'this is neither 0 nor 1', 'Write 1 where the vertex is in the set.')
  if (!isVector)
    throw inputFailure(
      path,
      `${lines} lines of 0 and 1 are not one for each of ${vertices} vertices`,
      'Is this for another dataset?',
    )
  return set
}

/**
 * `label,value` lines (comma, semicolon or tab), with or without a header. @throws Failure (input) for a missing,
 * repeated or unknown vertex and for no finite number
 */
export function readVertexColumn(path: string, labels: Labels, vertices: number): Float64Array {
  const column = new Float64Array(vertices).fill(Number.NaN)
  let seen = 0
  for (const { line, text } of meaningfulLines(path, labels)) {
    const where = `${path}:${line}`
    const cut = Math.max(text.lastIndexOf(','), text.lastIndexOf(';'), text.lastIndexOf('\t'))
    const value = cut < 0 ? Number.NaN : Number(bare(text.slice(cut + 1)) || Number.NaN)
    const label = text.slice(0, Math.max(0, cut))
    if (line === 1 && !Number.isFinite(value) && vertexOf(labels, label) < 0) continue
    const what = 'this is not "label,value" with a finite number'
    if (!Number.isFinite(value)) throw inputFailure(where, what, 'Write one line a vertex, such as 17,0.25.')
    const v = findVertex(labels, label, where)
    if (!Number.isNaN(column[v]!))
      throw inputFailure(
        where,
        `vertex ${JSON.stringify(bare(label))} has a value already`,
        'Remove one of the two lines.',
      )
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

/** Separators in the order of trying: a label may hold what comes later. */
const SEPARATORS = ['\\t', ',', ';', '[,;\\t]', '[ \\t\\v\\f]+'].map((separator) => ({
  isIn: new RegExp(separator),
  // A quoted field may hold separators.
  field: new RegExp(`(?:^|${separator}) *("(?:[^"]|"")*"(?= *(?:${separator}|$))|(?:(?!${separator})[^])*)`, 'g'),
}))
const [MARK, GAP] = [SEPARATORS[3]!, SEPARATORS[4]!]

/**
 * Two labels a line, with a comma, semicolon or tab, else blanks between. Further fields and a header are ignored.
 * @throws Failure (input) for an unknown label, or a vertex in two pairs
 */
export function readVertexPairs(path: string, labels: Labels, vertices: number): Matching {
  const mates = new Uint32Array(vertices).fill(NO_MATE)
  for (const { line, text } of meaningfulLines(path, labels)) {
    const where = `${path}:${line}`
    const fields = fieldsIn(text, labels)
    if (fields.length < 2)
      throw inputFailure(where, 'this is no pair of vertices', 'Write one pair a line, such as 17,4.')
    const [a = '', b = ''] = fields
    if (line === 1 && (vertexOf(labels, a) < 0 || vertexOf(labels, b) < 0) && areNames(labels, a, b)) continue
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

/** The fields by the first separator whose first two are labels, blanks around them included. */
function fieldsIn(padded: string, labels: Labels): readonly string[] {
  for (const mark of ['\t', ',', ';']) {
    const fields = padded.split(mark, 2)
    if (fields.length === 2 && fields.every((field) => labels.find(field) >= 0)) return fields
  }
  const text = bare(padded)
  const isLabel = (field: string | undefined): boolean => field !== undefined && vertexOf(labels, field) >= 0
  for (const { isIn, field } of SEPARATORS) {
    const fields = isIn.test(text) ? fieldsOf(text, field) : []
    if (isLabel(fields[0]) && isLabel(fields[1])) return fields
  }
  return fieldsOf(text, (MARK.isIn.test(text) ? MARK : GAP).field)
}

const fieldsOf = (text: string, field: RegExp): string[] =>
  Array.from(text.matchAll(field), ([, found]) => bare(found!))

/** Whether two words are a header: any two among numbers; among words only names of an edge's ends, as others may be misspelt. */
function areNames({ kind }: Labels, a: string, b: string): boolean {
  const isNumber = (field: string): boolean => field.trim() !== '' && Number.isFinite(Number(field))
  if (isNumber(a) || isNumber(b)) return false
  return kind !== 'text' || areEnds(a, b)
}

/** The ids of the vertices, where no attribute has this name. */
const ID = 'id'

/** A column of a condition that no table has: what a graph or a result says of a vertex. */
export interface VertexColumn {
  readonly kind: ColumnKind
  /** The value of a vertex, or of one of its rows; they are asked for in ascending order. @param row the vertex, where each has one row */
  of(v: number, row: number): AttributeValue
}

/** What a dataset knows of its vertices beside the graph. */
export interface VertexPlace {
  readonly folder: string
  readonly vertices: number
  readonly labels: Pick<Labels, 'of'>
  /** Further columns by their names; an attribute of the same name comes first. */
  readonly columns?: Readonly<Record<string, VertexColumn>> | undefined
  /** The first row of each vertex, and the end of the last: of a b-matching it has one for each partner. Absent: one row each. */
  readonly starts?: Uint32Array | undefined
}

/** The column `degree`; a run of degrees is in memory at a time. */
export function degreeColumn(graph: GaloisGr): VertexColumn {
  let runs: ReturnType<typeof degreeRuns> | undefined
  let [first, degrees] = [0, new Uint32Array(0)]
  return {
    kind: 'number',
    of(v) {
      // Another pass begins anew.
      if (runs === undefined || v < first) {
        runs = degreeRuns(graph)
        degrees = new Uint32Array(0)
      }
      while (v >= first + degrees.length || degrees.length === 0) {
        const next = runs.next()
        if (next.done === true) return null
        ;({ first, degrees } = next.value)
      }
      return degrees[v - first]!
    },
  }
}

const NONE: Readonly<Record<string, VertexColumn>> = {}

/** Columns of a place: longitude and latitude of cities. */
const PLACE_COLUMNS = ['x', 'y'] as const
const isOfPlace = (name: string): name is 'x' | 'y' => (PLACE_COLUMNS as readonly string[]).includes(name)

/** The vertices, or rows of them, for which a condition holds. @throws Failure (input) for a condition that cannot be read, or an unknown attribute */
export async function verticesWhere(
  { folder, vertices, labels, columns: more = NONE, starts }: VertexPlace,
  text: string,
): Promise<VertexSet> {
  const table = await AttributeTable.open(folder, VERTEX_TABLE)
  let close = (): void => {}
  try {
    const filter = parseFilter(text)
    const columns = columnsOf(filter)
    const places = columns.map((name) => table?.column(name) ?? -1)
    /** Headings of tables begin with a capital. */
    const moreOf = (name: string): VertexColumn | undefined =>
      [name, name.toLowerCase(), name.charAt(0).toLowerCase() + name.slice(1)].flatMap((one) =>
        Object.hasOwn(more, one) ? [more[one]!] : [],
      )[0]
    const isKnown = (name: string, i: number): boolean => name === ID || places[i]! >= 0 || moreOf(name) !== undefined
    const spots = columns.every(isKnown) ? null : openVertexPlaces(folder, vertices)
    close = () => spots?.close()
    const own = columns.map((name): VertexColumn | undefined => {
      const found = moreOf(name)
      if (found !== undefined) return found
      return spots === null || !isOfPlace(name) ? undefined : { kind: 'number', of: (v) => spots.of(v)?.[name] ?? null }
    })
    const unknown = columns.find((name, i) => places[i]! < 0 && own[i] === undefined && name !== ID)
    const known = [...Object.keys(more), ...(spots === null ? [] : PLACE_COLUMNS)]
    if (unknown !== undefined) throw unknownAttribute(unknown, table, known)
    const holds = compileFilter(
      filter,
      places.map((place, i) => (place < 0 ? (own[i]?.kind ?? 'any') : table!.columns[place]!.kind)),
    )
    const stored = places.filter((place) => place >= 0)
    const tuples = stored.length === 0 ? undefined : table!.tuples(stored)
    const set = new VertexSet(starts === undefined ? vertices : starts[vertices]!)
    for (let v = 0; v < vertices; v++) {
      const tuple = tuples?.next()
      const end = starts === undefined ? v + 1 : starts[v + 1]!
      for (let row = starts === undefined ? v : starts[v]!; row < end; row++) {
        let next = 0
        const valueAt = (place: number, i: number) => {
          if (place < 0) return own[i] === undefined ? labels.of(v) : own[i].of(v, row)
          return tuple?.done === false ? tuple.value[next++]! : null
        }
        if (holds(places.map(valueAt))) set.add(row)
      }
    }
    return set
  } finally {
    close()
    table?.close()
  }
}

/** Vertices of a list of ids, of a condition, or of both; undefined where there is neither. @throws Failure (input) */
export async function listedVertices(
  place: VertexPlace & { readonly labels: Labels },
  file: string | undefined,
  where: string | undefined,
): Promise<VertexSet | undefined> {
  const listed = file === undefined ? undefined : readVertexList(file, place.labels, place.vertices)
  if (where === undefined) return listed
  const set = await verticesWhere(place, where)
  for (const v of listed?.members() ?? []) set.add(v)
  return set
}

/** The values of an attribute by which vertices go first. @throws Failure (input) unless every vertex has a number */
export async function vertexColumn(
  { folder, vertices, labels }: VertexPlace,
  name: string,
): Promise<Float64Array<ArrayBuffer>> {
  const table = await AttributeTable.open(folder, VERTEX_TABLE)
  try {
    const column = table?.column(name) ?? -1
    if (table === null || column < 0) throw unknownAttribute(name, table)
    const { kind } = table.columns[column]!
    const noNumbers = `the attribute "${name}" holds no numbers, and priorities are numbers`
    if (kind !== 'number') throw inputFailure(undefined, noNumbers, 'Choose another.')
    const values = new Float64Array(vertices)
    let missing = 0
    let first = ''
    let v = 0
    for (const [value] of table.tuples([column])) {
      if (typeof value === 'number') values[v] = value
      else if (missing++ === 0) first = labels.of(v)
      v++
    }
    if (missing === 0) return values
    throw inputFailure(
      undefined,
      `${missing} of ${vertices} vertices have no "${name}", the first is ${JSON.stringify(first)}`,
      'Give every vertex a value.',
    )
  } finally {
    table?.close()
  }
}

export function unknownAttribute(name: string, table: AttributeTable | null, more: readonly string[] = []) {
  const known = [...(table?.columns.map((column) => column.name) ?? []), ...more]
  return inputFailure(
    undefined,
    `the vertices have no attribute "${name}"`,
    known.length === 0
      ? 'Import the graph with a table of its vertices.'
      : `They have ${known.slice(0, 20).join(', ')}.`,
  )
}
