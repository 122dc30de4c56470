import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAlgorithm } from '../../../workers/algorithms/run.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { RunArgs } from '../../../workers/contract/jobs.ts'
import { readBits } from '../../../workers/graph/vertex-set.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { planWork } from '../../../workers/jobs/plan.ts'
import { verifyResult } from '../../../workers/jobs/verify-result.ts'
import { Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
const vertices = 60

/** A graph between texts, whose vertices have a number, a group, a gap, a debt and what is huge. */
async function argsWith(extra: Partial<RunArgs> = {}): Promise<RunArgs> {
  const name = (v: number): string => `v${(v * 17) % vertices}`
  const edges = Array.from({ length: vertices }, (_, i) =>
    [1, 7, 11].map((step) => `${name(i)},${name((i + step) % vertices)}`),
  )
  const rows = Array.from(
    { length: vertices },
    (_, i) => `${name(i)},${(i * 37) % 101},${'ABC'[i % 3]},${i % 4 === 0 ? '' : i},${i - 9},1e308`,
  )
  const folder = work.newFolder()
  const source = work.file('e.csv', `source,target\n${edges.flat().join('\n')}\n`)
  const table = work.file('n.csv', `id,rank,group,gap,debt,huge\n${rows.join('\n')}\n`)
  const { checksum } = await importGraph({ source, folder, vertices: table }, quietJob)
  writeFileSync(join(folder, 'rank.csv'), rows.map((row) => row.split(',').slice(0, 2).join(',')).join('\n'))
  const of = (group: string): string[] =>
    rows.filter((row) => row.includes(`,${group},`)).map((row) => row.split(',')[0]!)
  writeFileSync(join(folder, 'c.txt'), of('C').join('\n'))
  const resultFile = join(folder, 'set.bits')
  const common = { algorithm: 'ecl-mis', device: 'cpu:0', priority: 'degree', seed: 0, verify: true } as const
  return { ...common, folder, checksum, resultFile, ...extra }
}

const hashOf = async (args: RunArgs): Promise<string> => {
  const { result, verification } = await runAlgorithm(args, quietJob)
  expect(verification?.verified).toBe(true)
  return result.hash
}

describe('runs by attributes give what the same lists as files give', () => {
  it('a priority, on every algorithm that takes one', async () => {
    const args = await argsWith({ priority: 'column' })
    for (const algorithm of ['ecl-mis', 'mg-mis'] as const) {
      const byFile = await hashOf({ ...args, algorithm, columnFile: join(args.folder, 'rank.csv') })
      expect(await hashOf({ ...args, algorithm, columnName: 'rank' })).toBe(byFile)
    }
    expect(await hashOf({ ...args, priority: 'degree' })).not.toBe(await hashOf({ ...args, columnName: 'rank' }))
  })

  it('what is excluded, alone and beside a list; the verifier takes the same condition', async () => {
    const args = await argsWith()
    const byFile = await hashOf({ ...args, excludeFile: join(args.folder, 'c.txt') })
    expect(await hashOf({ ...args, excludeWhere: "group = 'C'" })).toBe(byFile)
    expect(await hashOf({ ...args, excludeFile: join(args.folder, 'c.txt'), excludeWhere: 'rank < 0' })).toBe(byFile)
    await hashOf({ ...args, excludeWhere: "group = 'C'" })
    const set = { kind: 'bits', file: args.resultFile } as const
    const check = (excludeWhere?: string) => verifyResult({ ...args, set, excludeWhere }, quietJob)
    expect(await check("group = 'C'")).toMatchObject({ verified: true })
    expect(await check()).toMatchObject({ verified: false, law: 'maximal' })
  })

  it('what is kept', async () => {
    const args = await argsWith({ keepWhere: "id in ('v0', 'v34')" })
    await hashOf(args)
    const set = readBits(args.resultFile, vertices)
    expect(set.summary().size).toBeGreaterThan(2)
    const kept = await hashOf({ ...args, keepWhere: "id = 'v0' or id = 'v34'" })
    expect(kept).toBe(set.summary().hash)
  })

  it.each([
    [{ excludeWhere: "colour = 'red'" }, 'no attribute "colour"'],
    [{ excludeWhere: 'group =' }, 'a value is missing'],
    [{ priority: 'column', columnName: 'group' }, 'holds no numbers'],
    [{ priority: 'column', columnName: 'gap' }, '15 of 60 vertices have no "gap"'],
    [{ algorithm: 'colouring', priority: 'column', columnName: 'gap' }, '15 of 60 vertices have no "gap"'],
    [{ priority: 'column', columnName: 'debt', weights: 'column' }, 'weighs -9, which is less than 0'],
    [{ priority: 'column', columnName: 'huge', weights: 'column' }, 'together weigh more than 1.8e308'],
    [{ keepWhere: "group != 'A'" }, 'are both kept, but they are neighbours'],
    [{ keepWhere: "id = 'v0'", excludeWhere: "id = 'v0'" }, 'both kept and excluded'],
  ] as const)('%j is refused, by the plan in the same words', async (extra, what) => {
    const args = await argsWith(extra)
    await expect(runAlgorithm(args, quietJob)).rejects.toThrow(what)
    const target = { kind: 'dataset', folder: args.folder, checksum: args.checksum } as const
    const plan = await planWork({ ...args, target } as unknown as Parameters<typeof planWork>[0], quietJob)
    expect(plan.refusal?.what).toContain(what)
  })
})
