import { OtherLines } from './other-lines.ts'
import { LINE_BYTES, TEXT_BYTES } from './text-window.ts'

const NEWLINE = 10
const NOTHING = new Uint8Array(0)

/**
 * The lines of a part of a text. It may begin and end within a line: what comes before its first newline, that included, and what comes
 * behind its last one are kept for whoever puts them together with the parts beside it.
 */
export class PartLines {
  /** Up to the first newline; all of the text where there is none. */
  head: Uint8Array = NOTHING
  tail: Uint8Array = NOTHING
  readonly #slots: (Uint8Array | undefined)[]
  #next = 0
  #hasNewline = false

  /** @param slots pieces of text that are in use at a time */
  constructor(slots: number) {
    this.#slots = Array.from({ length: slots })
  }

  /**
   * Whole lines in shared memory, good until as many others as there are slots were asked for.
   * @throws OtherLines for a line that is too long
   */
  async *cut(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let carried: Uint8Array = NOTHING
    for await (const chunk of chunks) {
      const end = chunk.lastIndexOf(NEWLINE) + 1
      let at = 0
      if (end > 0) {
        at = chunk.indexOf(NEWLINE) + 1
        const border = Buffer.concat([carried, chunk.subarray(0, at)])
        if (border.length > LINE_BYTES) throw new OtherLines()
        if (this.#hasNewline) yield this.#slot(border)
        else this.head = border
        this.#hasNewline = true
        carried = NOTHING
      }
      while (at < end) {
        const cut = at + TEXT_BYTES >= end ? end : chunk.indexOf(NEWLINE, at + TEXT_BYTES - 1) + 1
        if (cut - at > TEXT_BYTES + LINE_BYTES) throw new OtherLines()
        yield this.#slot(chunk.subarray(at, cut))
        at = cut
      }
      carried = Buffer.concat([carried, chunk.subarray(end)])
      if (carried.length > LINE_BYTES) throw new OtherLines()
    }
    if (this.#hasNewline) this.tail = carried
    else this.head = carried
  }

  get hasNewline(): boolean {
    return this.#hasNewline
  }

  #slot(lines: Uint8Array): Uint8Array {
    const number = this.#next++ % this.#slots.length
    const slot = (this.#slots[number] ??= new Uint8Array(new SharedArrayBuffer(TEXT_BYTES + LINE_BYTES)))
    slot.set(lines)
    return slot.subarray(0, lines.length)
  }
}
