import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CommandLine } from '../../cli/command-line.ts'

const LINES = 500_000
const MOMENTS = 4
const LOOK_MS = 5
const onWindows = process.platform === 'win32'

let cli: CommandLine
let reference: Buffer
/** Bytes of an import's work at the most. */
let mostBytes: number

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
  mostBytes = await importUntil('measured', Infinity)
  expect(mostBytes).toBeGreaterThan(reference.length)
  expect(graphOf('measured').equals(reference)).toBe(true)
})
afterAll(() => rmSync(cli.folder, { recursive: true, force: true }))

/** Bytes of what an import under way has written so far, which may vanish meanwhile. */
function bytesOfWork(name: string): number {
  const bytesOf = (path: string): number => {
    try {
      const { size } = statSync(path)
      return size
    } catch {
      return 0
    }
  }
  const datasets = join(cli.library, 'datasets')
  const works = readdirSync(datasets).filter((folder) => folder.startsWith(`${name}-`) && folder.endsWith('.import'))
  try {
    const paths = works.flatMap((work) => readdirSync(join(datasets, work)).map((file) => join(datasets, work, file)))
    return paths.reduce((sum, path) => sum + bytesOf(path), 0)
  } catch {
    return 0
  }
}

/**
 * Starts an import in a process group of its own and kills all of it once its work has so many bytes; what it wrote to stdout is lost.
 * @returns the most bytes that were seen
 */
async function importUntil(name: string, bytes: number): Promise<number> {
  const launcher = join(import.meta.dirname, '../../../../electron/launch.mjs')
  const child = spawn(process.execPath, [launcher, 'import', 'a.txt', '--name', name, '--memory', '16MiB'], {
    cwd: cli.folder,
    env: { ...process.env, ANTICLIQUE_LIBRARY: cli.library },
    stdio: 'ignore',
    detached: true,
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  let most = 0
  while (child.exitCode === null && most < bytes) {
    most = Math.max(most, bytesOfWork(name))
    if (most < bytes) await Promise.race([ended, after(LOOK_MS)])
  }
  if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
  await ended
  return most
}

/** Kills an import at a share of its work; earlier, where it was done before that was seen. */
async function killedAt(name: string, wanted: number): Promise<void> {
  for (let share = wanted; ; share *= 0.8) {
    await importUntil(name, share * mostBytes)
    const { datasets } = await cli.json<Listed>('datasets')
    if (!datasets.some((dataset) => dataset.name === name)) return
    await cli.json('datasets', 'remove', name)
    await cli.json('datasets', 'clean')
  }
}

describe.skipIf(onWindows)('an import that is killed', () => {
  test.each(Array.from({ length: MOMENTS }, (_, i) => i))('is resumed, with the same bytes: moment %i', async (i) => {
    const name = `killed${i}`
    await killedAt(name, (i + 0.5) / MOMENTS)
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
    await killedAt('left', 0.5)
    const left = readdirSync(datasets).filter((folder) => folder.startsWith('left-'))
    expect(left).toHaveLength(1)
    expect(left.every((folder) => folder.endsWith('.import'))).toBe(true)
    // The system takes a moment to forget the processes.
    const listed = await vi.waitFor(async () => {
      const answer = await cli.json<Listed>('datasets')
      expect(answer.remainders).toBeDefined()
      return answer
    })
    expect(listed.datasets.some(({ name }) => name === 'left')).toBe(false)
    expect((listed.remainders ?? []).map(({ name }) => name)).toEqual(left.map(() => 'left'))
    await cli.json('datasets', 'clean')
    expect(readdirSync(datasets).filter((folder) => folder.startsWith('left-'))).toEqual([])
  })
})
