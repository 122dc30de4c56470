import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findOpenMpi, mpiEnvironment } from '../../support/mpi.mjs'
import { CommandLine } from '../cli/command-line.ts'

const mpirun = findOpenMpi()
const ranks = (n: number): string[] => [mpirun!, '--bind-to', 'none', '-n', String(n)]

interface Document {
  readonly result: { readonly hash: string }
  readonly options: Readonly<Record<string, unknown>>
  readonly devices: readonly string[]
  readonly verified: boolean | null
}

describe.skipIf(mpirun === null)('a run across ranks of Open MPI', () => {
  const line = new CommandLine()
  const across = async (n: number, ...words: string[]): Promise<Document> => {
    const { code, stdout, stderr } = await line.launched(ranks(n), mpiEnvironment, 'run', ...words, '--json')
    if (code !== 0) throw new Error(`${n} ranks ended with ${code}: ${stderr}`)
    return JSON.parse(stdout) as Document
  }

  beforeAll(() => line.json('generate', 'rmat', '--scale', '14', '--seed', '3', '--name', 'web'))

  it('has the result of one process with two and three ranks, whatever the order, and verified', async () => {
    for (const [n, words] of [
      [2, ['--priority', 'degree', '--verify']],
      [3, ['--algorithm', 'mg-mis', '--priority', 'hash', '--devices', 'cpu:0,cpu:1', '--quality', 'swap:2']],
      [2, ['--algorithm', 'mg-mis', '--exchange', 'paper', '--devices', 'cpu:0,cpu:1', '--batches', '9']],
      [3, ['--algorithm', 'ld-gpu', '--weights', 'random3', '--quality', 'augment:1', '--verify']],
    ] as const) {
      const alone = await line.json<Document>('run', 'web', ...words)
      const made = await across(n, 'web', ...words, '--across', 'mpi')
      expect(made.result).toEqual(alone.result)
      expect(made.options['ranks']).toBe(n)
      expect(made.verified).toBe(alone.verified)
      expect(made.devices.length).toBeGreaterThanOrEqual(n)
    }
  })

  it('is refused where several processes would compute the same, each for itself', async () => {
    const { code, stderr } = await line.launched(ranks(2), mpiEnvironment, 'run', 'web')
    expect(code).toBe(2)
    expect(stderr).toContain('mpirun started 2 processes, and each of them would compute all by itself')
    expect(stderr).toContain('--across mpi')
  })

  it('ends on all ranks with a sentence that names the rank without the graph', async () => {
    const other = join(line.folder, 'other.gr')
    writeFileSync(other, 'no graph')
    const { code, stderr } = await line.launched(
      ranks(2),
      mpiEnvironment,
      ...['run', 'web', '--across', 'mpi', '--graph', other],
    )
    expect(code).toBe(2)
    expect(stderr).toMatch(/rank 1 on .*other\.gr: .*8 bytes.*give its path there/)
  })

  it('reads a copy of the graph that a node has', async () => {
    const copy = join(line.folder, 'copy.gr')
    copyFileSync(graphFile(line), copy)
    const made = await across(2, 'web', '--across', 'mpi', '--graph', copy)
    expect(made.result).toEqual((await line.json<Document>('run', 'web')).result)
  })
})

describe('a machine without MPI', () => {
  const line = new CommandLine()
  const without = (...words: string[]) => line.launched(['env'], { ANTICLIQUE_MPI: '/no/such/libmpi.so' }, ...words)
  beforeAll(() => line.json('generate', 'grid', '--rows', '20', '--columns', '20', '--name', 'web'))

  it('is told which package to install, and computes alone', async () => {
    const across = await without('run', 'web', '--across', 'mpi')
    expect(across.code).toBe(2)
    expect(across.stderr).toContain('install the package openmpi-bin or mpich')
    expect(await without('run', 'web', '--verify')).toMatchObject({ code: 0 })
  })
})

/** The graph of the only dataset. */
function graphFile(line: CommandLine): string {
  const [name] = readdirSync(line.library, { recursive: true }).filter((path) => String(path).endsWith('graph.gr'))
  return join(line.library, String(name))
}
