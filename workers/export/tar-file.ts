import { createHash } from 'node:crypto'
import { writeFully } from '../base/file-bytes.ts'
import type { OutputFile } from '../base/output-file.ts'

const BLOCK = 512
/** The least size that is binary: eleven octal digits have no room for it. */
const LARGE = 8 ** 11

/**
 * A tar archive (ustar, with binary sizes past 8 GiB as GNU writes them) of regular files in one folder, written to a file once: a
 * header is put in front of a member when its length is known. The same members at the same time are the same bytes.
 */
export class TarFile {
  readonly #output: OutputFile
  readonly #path: string
  readonly #folder: string
  readonly #seconds: number
  #at = 0
  /** Lines as `sha256sum` prints them. */
  readonly sums: string[] = []

  constructor(output: OutputFile, path: string, folder: string, time: Date) {
    this.#output = output
    this.#path = path
    this.#folder = folder
    this.#seconds = Math.floor(time.getTime() / 1000)
  }

  /** @param pause gets the bytes of the member so far @throws Failure (storage) */
  async add(
    name: string,
    chunks: Iterable<Uint8Array>,
    pause: (bytes: number) => Promise<void> = () => Promise.resolve(),
  ) {
    const headerAt = this.#at
    const hash = createHash('sha256')
    let bytes = 0
    this.#write(new Uint8Array(BLOCK))
    for (const chunk of chunks) {
      this.#write(chunk)
      hash.update(chunk)
      bytes += chunk.length
      await pause(bytes)
    }
    this.#write(new Uint8Array((BLOCK - (bytes % BLOCK)) % BLOCK))
    const header = headerOf(`${this.#folder}/${name}`, bytes, this.#seconds)
    writeFully(this.#output.file, header, headerAt, this.#path)
    this.sums.push(`${hash.digest('hex')}  ${name}\n`)
  }

  /** The end of an archive: two empty blocks. @returns its bytes */
  end(): number {
    this.#write(new Uint8Array(2 * BLOCK))
    return this.#at
  }

  #write(bytes: Uint8Array): void {
    this.#output.write(bytes)
    this.#at += bytes.length
  }
}

function headerOf(name: string, bytes: number, seconds: number): Uint8Array {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number): void =>
    void header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  if (header.write(name, 0, 100, 'utf8') < Buffer.byteLength(name))
    throw new Error(`"${name}" is too long for a member`)
  octal(0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  if (bytes < LARGE) octal(bytes, 124, 12)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(bytes), 128)
  }
  octal(seconds, 136, 12)
  header.write('        0', 148, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}
