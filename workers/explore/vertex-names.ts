import { join } from 'node:path'
import { LABELS_HEADER_BYTES, labelHead } from '../graph/labels.ts'
import { NAMES_FILE } from '../contract/jobs.ts'
import { SideFile } from '../graph/side-file.ts'
import { textAt } from './vertex-labels.ts'

/** Larger files of names are not searched: it would take too long while a user types. */
const MAX_SEARCHED_BYTES = 64 << 20

/** What a dataset calls its vertices beside their labels: texts in no order, which may repeat and may be empty. */
export class VertexNames {
  readonly #vertices: number
  readonly #file: SideFile

  private constructor(vertices: number, file: SideFile) {
    this.#vertices = vertices
    this.#file = file
  }

  /** null where the dataset has no names. @throws Failure (input) when the file is damaged */
  static open(folder: string, vertices: number): VertexNames | null {
    const file = SideFile.open(join(folder, NAMES_FILE))
    if (file === null) return null
    const head = file.bytes < LABELS_HEADER_BYTES + 8 * vertices ? null : labelHead(file.read(0, LABELS_HEADER_BYTES))
    if (head?.kind !== 'text' || head.vertices !== vertices) throw file.damaged()
    return new VertexNames(vertices, file)
  }

  /** null for a vertex without a name. */
  of(v: number): string | null {
    const name = textAt(this.#file, this.#vertices, v).toString('utf8')
    return name === '' ? null : name
  }

  /** Vertices whose names begin with a text, letters large or small; whole names first, then by id. */
  beginningWith(text: string, most: number): number[] {
    if (text === '' || this.#file.bytes > MAX_SEARCHED_BYTES) return []
    const wanted = folded(text)
    const whole: number[] = []
    const begun: number[] = []
    const texts = this.#file.read(LABELS_HEADER_BYTES, this.#file.bytes - LABELS_HEADER_BYTES)
    let start = 8 * this.#vertices
    for (let v = 0; v < this.#vertices && whole.length < most; v++) {
      const end = 8 * this.#vertices + Number(texts.readBigUInt64LE(8 * v))
      const name = folded(texts.toString('utf8', start, end))
      start = end
      if (name === wanted) whole.push(v)
      else if (begun.length < most && name.startsWith(wanted)) begun.push(v)
    }
    return [...whole, ...begun].slice(0, most)
  }

  close(): void {
    this.#file.close()
  }
}

/** "Zürich" is found by "zurich" too. */
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}
