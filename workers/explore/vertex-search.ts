import { lowerBound } from '../base/lower-bound.ts'
import type { JobContext } from '../base/job.ts'
import type { AttributeValue, FoundVertex, VertexSearch, VertexSearchArgs } from '../contract/jobs.ts'
import { AttributeTable, VERTEX_TABLE } from '../graph/attribute-table.ts'
import { LABELS_HEADER_BYTES, openLabelFile, openNameFile, textAt } from '../graph/labels.ts'
import { openGraph } from '../graph/open-graph.ts'
import type { SideFile } from '../graph/side-file.ts'
import { Adjacency } from './adjacency.ts'

/** While a user types. */
const MAX_SEARCHED_BYTES = 64 << 20

/** Ascending, read one at a time. */
export interface VertexLabels {
  of(v: number): string
  /** Or -1. */
  find(label: string): number
  /** The shorter number first, texts in their order. */
  beginningWith(text: string, most: number): number[]
  close(): void
}

/** @throws Failure (input) when the file is damaged */
export function openVertexLabels(folder: string, vertices: number): VertexLabels {
  const opened = openLabelFile(folder, vertices)
  if (opened === null) return numberLabels(vertices, (v) => BigInt(v), null)
  const { file, head } = opened
  switch (head.kind) {
    case 'dense':
      return numberLabels(vertices, (v) => BigInt(v) + head.base, file)
    case 'integer':
      return numberLabels(vertices, (v) => file.read(LABELS_HEADER_BYTES + 8 * v, 8).readBigUInt64LE(), file)
    case 'text':
      return textLabels(vertices, file)
  }
}

function numberLabels(vertices: number, value: (v: number) => bigint, file: SideFile | null): VertexLabels {
  const firstFrom = (wanted: bigint): number => lowerBound(0, vertices, (v) => value(v) < wanted)
  return {
    of: (v) => String(value(v)),
    find: (label) => {
      if (!/^\+?\d{1,20}$/.test(label)) return -1
      const v = firstFrom(BigInt(label))
      return v < vertices && value(v) === BigInt(label) ? v : -1
    },
    beginningWith: (text, most) => {
      if (text === '') return Array.from({ length: Math.min(most, vertices) }, (_, v) => v)
      // Labels have no leading zeros, and at most 20 digits.
      if (!/^(?:0|[1-9]\d{0,19})$/.test(text)) return []
      const found: number[] = []
      let low = BigInt(text)
      for (let high = low + 1n; high <= 10n ** 20n && found.length < most; low *= 10n, high *= 10n) {
        for (let v = firstFrom(low); v < vertices && found.length < most && value(v) < high; v++) found.push(v)
        if (low === 0n) break
      }
      return found
    },
    close: () => file?.close(),
  }
}

function textLabels(vertices: number, file: SideFile): VertexLabels {
  const bytes = (v: number): Buffer => textAt(file, vertices, v)
  // UTF-8 bytes order as code points do.
  const firstFrom = (wanted: Uint8Array): number => lowerBound(0, vertices, (v) => Buffer.compare(bytes(v), wanted) < 0)
  return {
    of: (v) => bytes(v).toString('utf8'),
    find: (label) => {
      const wanted = Buffer.from(label)
      const v = firstFrom(wanted)
      return v < vertices && bytes(v).equals(wanted) ? v : -1
    },
    beginningWith: (text, most) => {
      const wanted = Buffer.from(text)
      const found: number[] = []
      for (let v = firstFrom(wanted); v < vertices && found.length < most; v++) {
        if (!bytes(v).subarray(0, wanted.length).equals(wanted)) break
        found.push(v)
      }
      return found
    },
    close: () => file.close(),
  }
}

/** See {@link openNameFile}. */
export interface VertexNames {
  of(v: number): string | null
  /** Whatever the case; whole names first, then by id. */
  beginningWith(text: string, most: number): number[]
  close(): void
}

/** null for none. @throws Failure (input) when the file is damaged */
export function openVertexNames(folder: string, vertices: number): VertexNames | null {
  const file = openNameFile(folder, vertices)
  if (file === null) return null
  return {
    of: (v) => textAt(file, vertices, v).toString('utf8') || null,
    beginningWith: (text, most) =>
      text === '' || file.bytes > MAX_SEARCHED_BYTES ? [] : namesFrom(file, vertices, folded(text), most),
    close: () => file.close(),
  }
}

function namesFrom(file: SideFile, vertices: number, wanted: string, most: number): number[] {
  const whole: number[] = []
  const begun: number[] = []
  const texts = file.read(LABELS_HEADER_BYTES, file.bytes - LABELS_HEADER_BYTES)
  let start = 8 * vertices
  for (let v = 0; v < vertices && whole.length < most; v++) {
    const end = 8 * vertices + Number(texts.readBigUInt64LE(8 * v))
    const name = folded(texts.toString('utf8', start, end))
    start = end
    if (name === wanted) whole.push(v)
    else if (begun.length < most && name.startsWith(wanted)) begun.push(v)
  }
  return [...whole, ...begun].slice(0, most)
}

/** "Zürich" is found by "zurich" too. */
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

/** What is shown of every vertex. */
export const describer =
  (graph: Adjacency, labels: VertexLabels, names: VertexNames | null) =>
  (id: number): FoundVertex => ({ id, label: labels.of(id), name: names?.of(id) ?? null, degree: graph.degree(id) })

/** In the order of the rows, so that each batch of the table is read once. @returns none for vertices that were not asked for */
export function attributesOf(
  table: AttributeTable | null,
  vertices: Iterable<number>,
): (v: number) => readonly AttributeValue[] {
  const known = new Map<number, readonly AttributeValue[]>()
  for (const v of table === null ? [] : [...vertices].sort((a, b) => a - b)) known.set(v, known.get(v) ?? table!.row(v))
  return (v) => known.get(v) ?? []
}

/** The label itself first, then names, then longer labels. @throws Failure (input) */
export async function searchVertices(
  { folder, checksum, text, limit }: VertexSearchArgs,
  job: JobContext,
): Promise<VertexSearch> {
  const graph = openGraph(folder, checksum, job)
  const labels = openVertexLabels(folder, graph.vertices)
  const names = openVertexNames(folder, graph.vertices)
  const table = await AttributeTable.open(folder, VERTEX_TABLE)
  try {
    const itself = labels.find(text)
    const found = new Set([
      ...(itself < 0 ? [] : [itself]),
      ...(names?.beginningWith(text, limit) ?? []),
      ...labels.beginningWith(text, limit),
    ])
    const vertices = [...found].slice(0, limit)
    const attributes = attributesOf(table, vertices)
    const describe = describer(new Adjacency(graph), labels, names)
    return {
      columns: table?.columns ?? [],
      vertices: vertices.map((v) => ({ ...describe(v), attributes: attributes(v) })),
    }
  } finally {
    table?.close()
    graph.close()
    labels.close()
    names?.close()
  }
}
