import { join } from 'node:path'
import { openSideFile } from '../base/checked-file.ts'
import { COORDINATES_FILE } from '../contract/jobs.ts'

/** f32 pairs x, y by internal id; null for none. @throws Failure (input) when they are of another graph */
export function openVertexPlaces(folder: string, vertices: number) {
  const file = openSideFile(join(folder, COORDINATES_FILE))
  if (file === null) return null
  if (file.bytes !== 8 * vertices) {
    file.close()
    throw file.damaged()
  }
  return {
    of: (v: number) => {
      const pair = file.read(8 * v, 8)
      const [x, y] = [pair.readFloatLE(0), pair.readFloatLE(4)]
      return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null
    },
    /** Pairs x, y of all vertices; NaN for those that have none. */
    all: (): Float32Array => {
      const pairs = file.read(0, 8 * vertices)
      return Float32Array.from({ length: 2 * vertices }, (_, i) => pairs.readFloatLE(4 * i))
    },
    close: () => file.close(),
  }
}
