import { join } from 'node:path'
import { openSideFile } from '../base/checked-file.ts'
import { bytesOf } from '../base/words.ts'
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
      const pairs = new Float32Array(2 * vertices)
      file.readInto(0, bytesOf(pairs))
      return pairs
    },
    close: () => file.close(),
  }
}
