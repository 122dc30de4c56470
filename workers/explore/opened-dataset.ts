import type { JobContext } from '../base/job.ts'
import type { AttributeValue, FoundVertex } from '../contract/jobs.ts'
import type { AttributeTable } from '../graph/attribute-table.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { openGraph } from '../graph/open-graph.ts'
import { Adjacency } from './adjacency.ts'
import {
  labelsBeginningWith,
  openVertexLabels,
  openVertexNames,
  type VertexLabels,
  type VertexNames,
} from './vertex-labels.ts'

type Closed = { close(): void } | null

/** A graph, and how its vertices are called. */
export class OpenedDataset {
  readonly folder: string
  readonly graph: GaloisGr
  readonly vertices: number
  readonly adjacency: Adjacency
  readonly labels: VertexLabels
  readonly names: VertexNames | null
  readonly #files: Closed[] = []

  /** @throws Failure (input) when it is damaged */
  constructor({ folder, checksum }: { readonly folder: string; readonly checksum: string }, job: JobContext) {
    this.folder = folder
    try {
      this.graph = this.closing(openGraph(folder, checksum, job))
      this.vertices = this.graph.vertices
      this.adjacency = new Adjacency(this.graph)
      this.labels = this.closing(openVertexLabels(folder, this.vertices))
      this.names = this.closing(openVertexNames(folder, this.vertices))
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** What is to be closed with the dataset. */
  closing<T extends Closed>(file: T): T {
    this.#files.push(file)
    return file
  }

  /** Needed in every case. */
  close(): void {
    for (const file of this.#files) file?.close()
  }

  /** What is shown of every vertex. */
  readonly describe = (id: number): FoundVertex => {
    const name = this.names?.of(id) ?? null
    return { id, label: this.labels.of(id), name, degree: this.adjacency.degree(id) }
  }

  /** The label itself first, then names, then longer labels; some twice. */
  find(text: string, most: number): number[] {
    const itself = this.labels.find(text)
    return [
      ...(itself < 0 ? [] : [itself]),
      ...(this.names?.beginningWith(text, most) ?? []),
      ...labelsBeginningWith(this.labels, this.vertices, text, most),
    ]
  }
}

/** In the order of the rows, so that each batch of the table is read once. @returns none for vertices that were not asked for */
export function attributesOf(
  table: AttributeTable | null,
  vertices: Iterable<number>,
): (v: number) => readonly AttributeValue[] {
  const known = new Map<number, readonly AttributeValue[]>()
  for (const v of table === null ? [] : [...vertices].sort((a, b) => a - b)) known.set(v, known.get(v) ?? table!.row(v))
  return (v) => known.get(v) ?? []
}
