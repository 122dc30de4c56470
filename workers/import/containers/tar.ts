/**
 * Members of a tar archive, read as a stream: ustar with prefixes, the long names of GNU, and the headers of pax (POSIX
 * 2001) for path and size. Links, devices and folders are passed over. Memory holds a block of 512 bytes and what is
 * under way; names are bounded. The checksum of each header is compared.
 */
import type { Bytes } from './compressions.ts'

const BLOCK = 512
/** Bytes of a long name or the records of a pax header. */
const MOST_EXTRA_BYTES = 1 << 16
const latin1 = new TextDecoder('latin1')
const utf8 = new TextDecoder()

export interface Member {
  readonly name: string
  readonly bytes: number
}

/** A file of an archive. */
export interface ArchivedFile extends Member {
  /** Its bytes, once, before the next file is asked for. @throws Failure (input) */
  chunks(): Bytes
}

/** Whether bytes begin with a header of tar. */
export function isTar(head: Uint8Array): boolean {
  return head.length >= BLOCK && head.subarray(0, BLOCK).some((byte) => byte !== 0) && sumFits(head.subarray(0, BLOCK))
}

function sumFits(header: Uint8Array): boolean {
  const stated = Number.parseInt(textIn(header, 148, 8).trim() || 'x', 8)
  let sum = 0
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 32 : header[i]!
  return sum === stated && sum > 256
}

const textIn = (header: Uint8Array, at: number, length: number, decoder = latin1): string =>
  decoder.decode(header.subarray(at, at + length)).split('\0', 1)[0]!

/** Octal digits; large ones are binary with the first bit set. */
function numberIn(header: Uint8Array, at: number, length: number): number {
  if ((header[at]! & 0x80) === 0) return Number.parseInt(textIn(header, at, length).trim() || '0', 8)
  let value = header[at]! & 0x7f
  for (let i = 1; i < length; i++) value = 256 * value + header[at + i]!
  return value
}

/** Cuts a stream into what is asked for. */
class Cutter {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)

  constructor(bytes: Bytes) {
    this.#chunks = bytes[Symbol.asyncIterator]()
  }

  /** At most so many bytes that are there; null at the end. */
  async some(most: number): Promise<Uint8Array | null> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#chunks.next()
      if (done === true) return null
      this.#rest = value
    }
    const taken = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(taken.length)
    return taken
  }

  /** Exactly so many; fewer at the end. */
  async exactly(length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length)
    for (let done = 0; done < length;) {
      const some = await this.some(length - done)
      if (some === null) return bytes.subarray(0, done)
      bytes.set(some, done)
      done += some.length
    }
    return bytes
  }

  /** Passes over the rest: what compresses has its checksum there. */
  async drain(): Promise<void> {
    while ((await this.some(Infinity)) !== null);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}

/** The files of an archive; what is not read of one is passed over. @param damaged the error for what is no archive @throws that */
export async function* readTar(bytes: Bytes, damaged: (what: string) => Error): AsyncGenerator<ArchivedFile> {
  const cutter = new Cutter(bytes)
  let extra: { path?: string; size?: number } = {}
  try {
    for (;;) {
      const header = await cutter.exactly(BLOCK)
      if (header.length === 0 || header.every((byte) => byte === 0)) return await cutter.drain()
      if (header.length < BLOCK) throw damaged('it ends within the header of a member')
      if (!sumFits(header)) throw damaged('the checksum of the header of a member is wrong')
      const type = String.fromCharCode(header[156]!)
      const bytes = extra.size ?? numberIn(header, 124, 12)
      if (!Number.isSafeInteger(bytes) || bytes < 0) throw damaged('a member has no length')
      const prefix = textIn(header, 257, 5) === 'ustar' ? textIn(header, 345, 155, utf8) : ''
      const name = extra.path ?? [prefix, textIn(header, 0, 100, utf8)].filter(Boolean).join('/')
      let left = bytes
      const chunks = async function* (): AsyncGenerator<Uint8Array> {
        while (left > 0) {
          const some = await cutter.some(left)
          if (some === null) throw damaged(`it ends within "${name}"`)
          left -= some.length
          yield some
        }
      }
      if ('LxXgK'.includes(type)) {
        if (bytes > MOST_EXTRA_BYTES) throw damaged('the name of a member is too long')
        const text: Uint8Array[] = []
        for await (const some of chunks()) text.push(some)
        const whole = utf8.decode(Buffer.concat(text))
        if (type === 'L') extra = { ...extra, path: whole.split('\0', 1)[0]! }
        else if (type === 'x' || type === 'X') extra = paxOf(whole)
      } else {
        if (type === '0' || type === '\0' || type === '7') yield { name, bytes, chunks }
        extra = {}
      }
      for await (const _ of chunks());
      await cutter.exactly((BLOCK - (bytes % BLOCK)) % BLOCK)
    }
  } finally {
    await cutter.close()
  }
}

/** Records "27 path=some/long/name\n". */
function paxOf(text: string): { path?: string; size?: number } {
  const [path, size] = ['path', 'size'].map((key) => new RegExp(`(?:^|\\n)\\d+ ${key}=([^\\n]*)`).exec(text)?.[1])
  return { ...(path === undefined ? {} : { path }), ...(size === undefined ? {} : { size: Number(size) }) }
}
