import { execFile } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const launcher = resolve(import.meta.dirname, '../../../electron/launch.mjs')
const devices = process.env['ANTICLIQUE_GPU_TESTS'] === 'absent' ? ['cpu:0'] : ['cpu:0', 'gpu:0']
const library = mkdtempSync(join(tmpdir(), 'anticlique-readers-'))
afterAll(() => rmSync(library, { recursive: true, force: true }))

interface Done {
  readonly code: number
  readonly document: {
    readonly result?: { readonly figures: Readonly<Record<string, number>>; readonly hash: string }
    readonly verified?: boolean
    readonly error?: { readonly code: string }
  }
}

function anticlique(...words: string[]): Promise<Done> {
  return new Promise((done) => {
    execFile(process.execPath, [launcher, '--library', library, '--json', ...words], (error, out) =>
      done({ code: Number(error?.code ?? 0), document: JSON.parse(out) as Done['document'] }),
    )
  })
}

function flipByte(path: string, at: number): void {
  const file = openSync(path, 'r+')
  const byte = new Uint8Array(1)
  readSync(file, byte, 0, 1, at)
  byte[0]! ^= 1
  writeSync(file, byte, 0, 1, at)
  closeSync(file)
}

it(
  'lists that several threads read are the ones of the file, and damaged ones are refused',
  { timeout: 120_000 },
  async () => {
    const [rows, columns] = [1700, 1300]
    await anticlique('generate', 'grid', '--rows', String(rows), '--columns', String(columns), '--name', 'grid')
    for (const device of devices) {
      const found = await anticlique(
        'run',
        'grid',
        '--algorithm',
        'bfs-tree',
        '--root',
        '0',
        '--devices',
        device,
        '--verify',
      )
      expect(found.document.verified, device).toBe(true)
      expect(found.document.result?.figures).toMatchObject({ reached: rows * columns, depth: rows + columns - 2 })
      const whole = await anticlique('run', 'grid', '--algorithm', 'connected-components', '--devices', device)
      expect(whole.document.result?.figures, device).toMatchObject({ components: 1 })
    }
    const [folder] = readdirSync(join(library, 'datasets'))
    const graph = join(library, 'datasets', folder!, 'graph.gr')
    flipByte(graph, Math.floor(0.7 * statSync(graph).size))
    for (const device of devices) {
      const refused = await anticlique('run', 'grid', '--algorithm', 'bfs', '--root', '0', '--devices', device)
      expect(refused.code, device).toBe(2)
      expect(refused.document.error?.code).toBe('input')
    }
  },
)
