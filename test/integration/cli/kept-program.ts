import { writeFileSync } from 'node:fs'
import { type AddressInfo, type Server, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll } from 'vitest'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { runHere } from './command-line.ts'

const launcher = resolve(import.meta.dirname, '../../../electron/launch.mjs')

/**
 * A script that is called as `anticlique` is, by shells, Python and R, and asks this process to run its words, with one engine for all: a program
 * and an engine for each of hundreds of commands take half a second of a processor. What streams its input, serves or meets other ranks is a
 * program of its own, as is every command where there is no bash with sockets (Windows).
 */
export class KeptProgram {
  readonly #folder = scratchFolder('program')
  readonly path = join(this.#folder, 'anticlique')
  readonly #server: Server
  #answers = 0

  private constructor() {
    this.#server = createServer({ allowHalfOpen: true }, (socket) => {
      let text = ''
      socket.setEncoding('utf8').on('data', (part: string) => {
        text += part
        const [count, ...words] = text.split('\0')
        // Behind the last word there is an end, too.
        if (words.length <= Number(count)) return
        socket.removeAllListeners('data')
        void this.#answer(words.slice(0, -1)).then((line) => socket.end(line))
      })
    })
  }

  static async open(): Promise<KeptProgram> {
    const program = new KeptProgram()
    const server = program.#server
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    writeFileSync(program.path, program.#script((server.address() as AddressInfo).port), { mode: 0o755 })
    afterAll(() => void server.close())
    return program
  }

  /** @returns the exit code, and the files with what it said */
  async #answer([folder, library, ...words]: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runHere(folder!, library!, words)
    const file = join(this.#folder, String(this.#answers++))
    writeFileSync(`${file}.out`, stdout)
    writeFileSync(`${file}.err`, stderr)
    return `${code} ${file}\n`
  }

  #script(port: number): string {
    return `#!/bin/bash
for word in "$@"; do
  case "$word" in
    - | serve) exec '${process.execPath}' '${launcher}' "$@" ;;
  esac
done
exec 3<> /dev/tcp/127.0.0.1/${port}
printf '%s\\0' $(($# + 2)) "$PWD" "\${ANTICLIQUE_LIBRARY-}" "$@" >&3
read -r code file <&3
cat "$file.out"
cat "$file.err" >&2
exit "$code"
`
  }
}
