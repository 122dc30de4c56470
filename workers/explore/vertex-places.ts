import { join } from 'node:path'
import { COORDINATES_FILE } from '../contract/jobs.ts'
import { SideFile } from '../graph/side-file.ts'

const PAIR_BYTES = 8

/** Places of the vertices: f32 pairs x, y by internal id; for cities longitude and latitude in degrees. */
export class VertexPlaces {
  readonly #file: SideFile

  private constructor(file: SideFile) {
    this.#file = file
  }

  /** null where the dataset has no places. @throws Failure (input) when they are of another graph */
  static open(folder: string, vertices: number): VertexPlaces | null {
    const file = SideFile.open(join(folder, COORDINATES_FILE))
    if (file === null) return null
    if (file.bytes !== PAIR_BYTES * vertices) throw file.damaged()
    return new VertexPlaces(file)
  }

  /** null for a vertex without a place (NaN). */
  of(v: number): { x: number; y: number } | null {
    const pair = this.#file.read(PAIR_BYTES * v, PAIR_BYTES)
    const [x, y] = [pair.readFloatLE(0), pair.readFloatLE(4)]
    return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null
  }

  close(): void {
    this.#file.close()
  }
}
