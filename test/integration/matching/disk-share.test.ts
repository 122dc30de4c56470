import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Pool } from '../../../electron/pool/pool.ts'
import { quietJob } from '../../../workers/job.ts'

const enginePath = resolve(import.meta.dirname, '../../../out/main/engine.js')
const scratch = mkdtempSync(join(tmpdir(), 'anticlique-share-'))
const pool = new Pool({ enginePath })

afterAll(async () => {
  await pool.close()
  rmSync(scratch, { recursive: true, force: true })
})

const graphs = [
  { name: 'R-MAT', most: 35, model: 'rmat', scale: 17, edgeFactor: 16, shuffle: true },
  { name: 'uniform', most: 60, model: 'uniform', vertices: 2 ** 16, degree: 32 },
  { name: 'uniform, sparse', most: 70, model: 'uniform', vertices: 2 ** 17, degree: 8 },
] as const

describe.each(graphs)('a matching from disk on $name', ({ name, most, ...model }) => {
  it.each(['cpu:0', 'cpu:0,cpu:1'])(
    `moves at most ${most} % of the view, in large pieces, and nothing twice: %s`,
    async (device) => {
      const folder = join(scratch, `${name}-${device.length}`)
      const { checksum } = await pool.run('generate', { folder, seed: 5, ...model }, quietJob)
      const base = {
        folder,
        checksum,
        algorithm: 'ld-gpu',
        priority: 'degree',
        seed: 0,
        weights: 'random3',
        verify: true,
      } as const
      const files = { resultFile: join(folder, 'mates'), device }
      const whole = await pool.run('run', { ...base, ...files }, quietJob)
      // The state of the vertices, and what of the heads passes through.
      const memoryBytes = 10 * whole.plan.vertices + (1 << 19)
      const found = await pool.run('run', { ...base, ...files, memoryBytes }, quietJob)
      expect(found.result).toEqual(whole.result)
      expect(found.rounds).toBe(whole.rounds)
      expect(found.roundCounts).toEqual(whole.roundCounts)
      expect(found.counters['arcsTouched']).toBe(whole.counters['arcsTouched'])
      expect(found.verification).toMatchObject({ verified: true })
      const { viewReadPercent, viewNeededPercent, viewReadBytes, viewBytes } = found.counters
      expect(viewReadPercent).toBeLessThan(most)
      expect(viewNeededPercent).toBeGreaterThan(10)
      expect(viewNeededPercent).toBeLessThan(viewReadPercent!)
      expect((viewReadPercent! / 100) * viewBytes!).toBeCloseTo(found.bytes.read, 0)
      expect(viewReadBytes).toBeGreaterThan(64 << 10)
    },
  )
})
