import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CommandLine } from '../../cli/command-line.ts'

const LINES = 500_000
const MOMENTS = 4
const onWindows = process.platform === 'win32'

let cli: CommandLine
let reference: Buffer
let importMs: number

interface Listed {
  readonly datasets: readonly { readonly name: string; readonly checksum: string }[]
  readonly remainders?: readonly { readonly name: string; readonly source: string | null }[]
}

const folderOf = (name: string): string =>
  readdirSync(join(cli.library, 'datasets')).find((folder) => folder.startsWith(`${name}-`)) ?? 'none'

const graphOf = (name: string): Buffer => readFileSync(join(cli.library, 'datasets', folderOf(name), 'graph.gr'))

beforeAll(async () => {
  cli = new CommandLine()
  const lines: string[] = []
  for (let i = 0; i < LINES; i++) lines.push(`${(i * 7919) % 200_003} ${(i * (i % 1009)) % 300_007}\n`)
  cli.write('a.txt', lines.join(''))
  await cli.json('import', 'a.txt', '--name', 'whole', '--memory', '4GiB')
  reference = graphOf('whole')
  const startMs = performance.now()
  await cli.json('import', 'a.txt', '--name', 'timed', '--memory', '16MiB')
  importMs = performance.now() - startMs
  expect(graphOf('timed').equals(reference)).toBe(true)
})
afterAll(() => rmSync(cli.folder, { recursive: true, force: true }))

/** Starts an import in a process group of its own and kills all of it at a moment; what it wrote to stdout is lost. */
async function killedAt(name: string, ms: number): Promise<void> {
  const launcher = join(import.meta.dirname, '../../../../electron/launch.mjs')
  const child = spawn(process.execPath, [launcher, 'import', 'a.txt', '--name', name, '--memory', '16MiB'], {
    cwd: cli.folder,
    env: { ...process.env, ANTICLIQUE_LIBRARY: cli.library },
    stdio: 'ignore',
    detached: true,
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  await after(ms)
  if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
  await ended
}

/** Kills an import after a share of the time that it takes; earlier, where it was done before that. */
async function killedInTime(name: string, share: number): Promise<void> {
  for (let ms = share * importMs; ; ms *= 0.8) {
    await killedAt(name, Math.round(ms))
    const { datasets } = await cli.json<Listed>('datasets')
    if (!datasets.some((dataset) => dataset.name === name)) return
    await cli.json('datasets', 'remove', name)
    await cli.json('datasets', 'clean')
  }
}

describe.skipIf(onWindows)('an import that is killed', () => {
  test.each(Array.from({ length: MOMENTS }, (_, i) => i))('is resumed, with the same bytes: moment %i', async (i) => {
    const name = `killed${i}`
    await killedInTime(name, (i + 0.3 + 0.4 * Math.random()) / MOMENTS)
    const { dataset } = await cli.json<{ dataset: { name: string; checksum: string } }>(
      ...['import', 'a.txt', '--resume', '--name', name, '--memory', '16MiB'],
    )
    expect(dataset.name).toBe(name)
    expect(graphOf(name).equals(reference)).toBe(true)
    expect((await cli.json<Listed>('datasets')).remainders).toBe(undefined)
    expect(readdirSync(join(cli.library, 'datasets')).filter((folder) => folder.startsWith(name))).toHaveLength(1)
  })

  test('leaves nothing but a remainder, which is listed and can be removed', async () => {
    const datasets = join(cli.library, 'datasets')
    let left: string[] = []
    // One that was killed as it began leaves nothing.
    for (let tries = 0; left.length === 0 && tries < 20; tries++) {
      await killedInTime('left', 0.5 + 0.02 * tries)
      left = readdirSync(datasets).filter((folder) => folder.startsWith('left-'))
    }
    expect(left).toHaveLength(1)
    expect(left.every((folder) => folder.endsWith('.import'))).toBe(true)
    // The system takes a moment to forget the processes.
    let listed = await cli.json<Listed>('datasets')
    for (let tries = 0; listed.remainders === undefined && tries < 20; tries++) {
      await after(100)
      listed = await cli.json<Listed>('datasets')
    }
    expect(listed.datasets.some(({ name }) => name === 'left')).toBe(false)
    expect((listed.remainders ?? []).map(({ name }) => name)).toEqual(left.map(() => 'left'))
    await cli.json('datasets', 'clean')
    expect(readdirSync(datasets).filter((folder) => folder.startsWith('left-'))).toEqual([])
  })
})
