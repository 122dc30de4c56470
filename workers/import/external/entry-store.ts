import { join } from 'node:path'
import type { EntryBlock, EntrySink } from '../../graph/entries.ts'
import type { LabelCodes } from './label-codes.ts'
import type { EntrySegment } from './entry-ids.ts'
import { AppendFile, bytesOf, ScratchFiles, type ScratchMemory } from './scratch-file.ts'

const BUFFER_RECORDS = 1 << 14
const FILE_BUFFER_BYTES = 1 << 18

export interface StoreTask {
  readonly folder: string
  readonly name: string
  readonly recordWords: 2 | 3
  /** null where ids are final. */
  readonly labels: { readonly bitmap: Int32Array; readonly dictionaryBytes: number } | null
}

/** Keeps entries of one thread in scratch files, as codes of fixed width. */
export class EntryStore implements EntrySink {
  entries = 0
  readonly #codes: LabelCodes
  readonly #recordWords: 2 | 3
  readonly #words: Uint32Array
  readonly #floats: Float32Array
  readonly #files: ScratchFiles
  readonly #entryFile: AppendFile
  readonly #labelFile: AppendFile
  readonly #segments: EntrySegment[] = []
  #segmentAt = 0

  constructor(
    { folder, name, recordWords }: Pick<StoreTask, 'folder' | 'name' | 'recordWords'>,
    codes: LabelCodes,
    memory: ScratchMemory | null,
  ) {
    this.#files = new ScratchFiles(memory)
    this.#codes = codes
    this.#recordWords = recordWords
    this.#words = new Uint32Array(BUFFER_RECORDS * recordWords)
    this.#floats = new Float32Array(this.#words.buffer)
    this.#entryFile = new AppendFile(this.#files, join(folder, `entries-${name}`), FILE_BUFFER_BYTES)
    this.#labelFile = new AppendFile(this.#files, join(folder, `labels-${name}`), FILE_BUFFER_BYTES)
  }

  /** Replaces ids by codes in place. */
  accept(block: EntryBlock): void {
    for (let first = 0; first < block.count;) {
      if (this.#codes.room < 2) this.endEpoch()
      const last = Math.min(block.count, first + Math.floor(this.#codes.room / 2), first + BUFFER_RECORDS)
      this.#codes.encode(block, first, last)
      this.#append(block, first, last)
      first = last
    }
    this.entries += block.count
  }

  /** Codes start again. */
  endEpoch(): void {
    if (!this.#codes.used) return
    this.#endSegment()
  }

  finish(): readonly EntrySegment[] {
    this.#endSegment()
    this.#entryFile.flush()
    this.#labelFile.flush()
    this.close()
    return this.#segments
  }

  /** Needed in every case; may be repeated. */
  close(): void {
    this.#files.close()
  }

  #endSegment(): void {
    const entries = (this.#entryFile.bytes - this.#segmentAt) / (4 * this.#recordWords)
    const run = this.#codes.used ? this.#codes.spill(this.#labelFile) : null
    if (entries > 0 || run !== null)
      this.#segments.push({ path: this.#entryFile.path, at: this.#segmentAt, entries, run })
    this.#segmentAt = this.#entryFile.bytes
  }

  #append({ from, to, weights }: EntryBlock, first: number, last: number): void {
    const words = this.#words
    let at = 0
    if (this.#recordWords === 2)
      for (let i = first; i < last; i++) {
        words[at++] = from[i]!
        words[at++] = to[i]!
      }
    else
      for (let i = first; i < last; i++) {
        words[at++] = from[i]!
        words[at++] = to[i]!
        this.#floats[at++] = weights === null ? 0 : weights[i]!
      }
    this.#entryFile.append(bytesOf(words.subarray(0, at)))
  }
}
