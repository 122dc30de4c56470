import { inputFailure } from '../base/failure.ts'
import { AttributeTable, VERTEX_TABLE } from './attribute-table.ts'
import { parseFilter } from './attribute-filter.ts'
import type { Labels } from './labels.ts'
import { columnsOf, compileFilter } from './row-test.ts'
import { readVertexList } from './vertex-lists.ts'
import { VertexSet } from './vertex-set.ts'

/** The ids of the vertices, where no attribute has this name. */
const ID = 'id'

/** What a dataset knows of its vertices beside the graph. */
export interface VertexPlace {
  readonly folder: string
  readonly vertices: number
  readonly labels: Pick<Labels, 'of'>
}

/** The vertices for which a condition holds. @throws Failure (input) for a condition that cannot be read, or an unknown attribute */
export async function verticesWhere({ folder, vertices, labels }: VertexPlace, text: string): Promise<VertexSet> {
  const table = await AttributeTable.open(folder, VERTEX_TABLE)
  try {
    const filter = parseFilter(text)
    const columns = columnsOf(filter)
    const places = columns.map((name) => table?.column(name) ?? -1)
    const unknown = columns.find((name, i) => places[i]! < 0 && name !== ID)
    if (unknown !== undefined) throw unknownAttribute(unknown, table)
    const holds = compileFilter(
      filter,
      places.map((place) => (place < 0 ? 'any' : table!.columns[place]!.kind)),
    )
    const stored = places.filter((place) => place >= 0)
    const tuples = stored.length === 0 ? undefined : table!.tuples(stored)
    const set = new VertexSet(vertices)
    for (let v = 0; v < vertices; v++) {
      const tuple = tuples?.next()
      let next = 0
      const valueAt = (place: number) =>
        place < 0 ? labels.of(v) : tuple?.done === false ? tuple.value[next++]! : null
      if (holds(places.map(valueAt))) set.add(v)
    }
    return set
  } finally {
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
    if (kind !== 'number')
      throw inputFailure(
        undefined,
        `the attribute "${name}" holds no numbers, and priorities are numbers`,
        'Choose another.',
      )
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

function unknownAttribute(name: string, table: AttributeTable | null) {
  const known = table?.columns.map((column) => column.name) ?? []
  return inputFailure(
    undefined,
    `the vertices have no attribute "${name}"`,
    known.length === 0
      ? 'Import the graph with a table of its vertices.'
      : `They have ${known.slice(0, 20).join(', ')}.`,
  )
}
