import { closeSync } from 'node:fs'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { pipeline, Readable, type Transform } from 'node:stream'
import { ReadableStream as WebStream } from 'node:stream/web'
import { openFile, writeFully } from '../../base/file-bytes.ts'
import { bufferOf } from '../../base/words.ts'

/** Bytes of a file, in order. */
export type Bytes = AsyncIterable<Uint8Array>

export const compressions = ['gzip', 'bzip2', 'xz', 'zstd'] as const
export type CompressionName = (typeof compressions)[number]

interface Compression {
  readonly begins: readonly number[]
  /** Ends of names that it adds, without those of tar. */
  readonly ends: readonly string[]
  unpack(bytes: Bytes): Bytes
}

const known: Readonly<Record<CompressionName, Compression>> = {
  gzip: {
    begins: [0x1f, 0x8b],
    ends: ['.gz', '.bgz', '.tgz'],
    unpack: (bytes) => through(bytes, createGunzip({ chunkSize: 1 << 18 })),
  },
  bzip2: { begins: [0x42, 0x5a, 0x68], ends: ['.bz2', '.tbz2', '.tbz'], unpack: unpackBzip2 },
  xz: { begins: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], ends: ['.xz', '.txz'], unpack: unpackXz },
  zstd: {
    begins: [0x28, 0xb5, 0x2f, 0xfd],
    ends: ['.zst', '.tzst'],
    unpack: (bytes) => through(bytes, createZstdDecompress({ chunkSize: 1 << 18 })),
  },
}

/** What the first bytes say. */
export function compressionOf(head: Uint8Array): CompressionName | null {
  const found = compressions.find((name) => known[name].begins.every((byte, i) => head[i] === byte))
  if (found !== 'bzip2') return found ?? null
  // "BZh" may begin a text: the size of blocks and the mark of the first one follow.
  const [level = 0, ...mark] = head.subarray(3, 10)
  const isBlock = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59].every((byte, i) => mark[i] === byte)
  const isEnd = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90].every((byte, i) => mark[i] === byte)
  return level >= 0x31 && level <= 0x39 && (isBlock || isEnd) ? 'bzip2' : null
}

/** Writes a file that is not there. @param look called before some bytes are written @throws Failure (storage), and what `bytes` throws */
export async function writeBytes(bytes: Bytes, path: string, look: (bytes: number) => void): Promise<void> {
  const file = openFile(path, 'wx')
  try {
    for await (const chunk of bytes) {
      look(chunk.length)
      writeFully(file, chunk, null, path)
    }
  } finally {
    closeSync(file)
  }
}

/** @throws the error of a library for damaged bytes */
export const unpacked = (name: CompressionName, bytes: Bytes): Bytes => known[name].unpack(bytes)

/** The name that a compressed file has once it is unpacked. */
export function nameWithin(name: string, compression: CompressionName): string {
  const lower = name.toLowerCase()
  const end = known[compression].ends.find((each) => lower.endsWith(each))
  if (end === undefined) return name
  const stem = name.slice(0, -end.length)
  return end.startsWith('.t') && end !== '.t' ? `${stem}.tar` : stem
}

/** All but a gzip member's padding. */
async function* through(bytes: Bytes, transform: Transform): AsyncGenerator<Uint8Array> {
  const source = Readable.from(bytes, { objectMode: true, highWaterMark: 1 })
  pipeline(source, transform, () => {})
  try {
    for await (const chunk of transform as AsyncIterable<Uint8Array>) yield chunk
  } finally {
    transform.destroy()
    source.destroy()
  }
}

async function* unpackBzip2(bytes: Bytes): AsyncGenerator<Uint8Array> {
  const { default: unbzip2 } = await import('unbzip2-stream')
  const stream = unbzip2()
  const found: Uint8Array[] = []
  let failure: unknown = null
  stream.on('data', (chunk) => found.push(chunk))
  stream.on('error', (error) => (failure ??= error))
  for await (const chunk of bytes) {
    stream.write(bufferOf(chunk))
    if (failure !== null) throw failure as Error
    yield* found.splice(0)
  }
  stream.end()
  if (failure !== null) throw failure as Error
  yield* found.splice(0)
}

async function* unpackXz(bytes: Bytes): AsyncGenerator<Uint8Array> {
  // Node takes the names of the package for one default, bundlers do not.
  const xz = (await import('xz-decompress')) as typeof import('xz-decompress') & {
    default?: typeof import('xz-decompress')
  }
  const { XzReadableStream } = xz.default ?? xz
  yield* new XzReadableStream(
    WebStream.from(bytes) as ReadableStream<Uint8Array>,
  ) as unknown as AsyncIterable<Uint8Array>
}
