import { type EntryBlock, EntryOutput } from '../../graph/entries.ts'
import { PlainLines, type PlainShape } from '../plain-lines.ts'
import type { EntryStore } from './entry-store.ts'
import { WideLines } from './wide-lines.ts'

const NEWLINE = 10
const BLOCK_ENTRIES = 1 << 14

export interface ParseTask {
  /** Shared memory with whole lines; good until the answer. */
  readonly bytes: Uint8Array
  readonly length: number
  readonly shape: PlainShape
}

/** What a thread did with a piece of text. Lines that are not ordinary come back, to be read by the reader itself. */
export interface ParsedPiece {
  readonly lines: number
  readonly negatives: number
  /** Pairs: ordinary lines since the odd line before, and negative weights among them; one pair more than there are odd lines. */
  readonly between: readonly number[]
  /** The odd lines, newlines included, one after another. */
  readonly odd: Uint8Array | null
  /** Ends of the odd lines in `odd`. */
  readonly oddEnds: readonly number[]
  readonly entries: number
}

/** An output that empties its only block into a store, again and again, so that parsing leaves little garbage. */
class StoredOutput extends EntryOutput {
  readonly #store: EntryStore

  constructor(store: EntryStore, weighted: boolean) {
    super(BLOCK_ENTRIES)
    this.#store = store
    this.weighted = weighted
    super.next()
  }

  override next(): EntryBlock {
    const { block } = this
    this.entries += block.count
    this.#store.accept(block)
    block.count = 0
    block.fromHigh = block.toHigh = null
    return block
  }
}

/** Parses the ordinary lines of pieces of text into a store, and hands the others back. */
export class PieceParser {
  readonly #plain = new PlainLines()
  readonly #wide = new WideLines()
  readonly #output: StoredOutput

  constructor(store: EntryStore, weighted: boolean) {
    this.#output = new StoredOutput(store, weighted)
  }

  parse({ bytes, length, shape }: ParseTask): ParsedPiece {
    const before = this.#output.total
    const between: number[] = []
    const oddEnds: number[] = []
    const odd: Uint8Array[] = []
    let oddBytes = 0
    let [lines, negatives, sinceLines, sinceNegatives] = [0, 0, 0, 0]
    for (let at = 0; at < length;) {
      at = this.#plain.read(bytes, at, length, Infinity, shape, this.#output)
      sinceLines += this.#plain.lines
      sinceNegatives += this.#plain.negatives
      if (at < length) {
        at = this.#wide.read(bytes, at, length, shape, this.#output)
        sinceLines += this.#wide.lines
      }
      if (at >= length || this.#wide.lines > 0) continue
      const end = bytes.indexOf(NEWLINE, at) + 1
      between.push(sinceLines, sinceNegatives)
      lines += sinceLines
      negatives += sinceNegatives
      sinceLines = sinceNegatives = 0
      odd.push(bytes.slice(at, end))
      oddEnds.push((oddBytes += end - at))
      at = end
    }
    between.push(sinceLines, sinceNegatives)
    return {
      lines: lines + sinceLines,
      negatives: negatives + sinceNegatives,
      between,
      odd: oddBytes === 0 ? null : Buffer.concat(odd),
      oddEnds,
      entries: this.#output.total - before,
    }
  }

  /** Hands the last entries on. */
  finish(): void {
    this.#output.next()
  }
}
