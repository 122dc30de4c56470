import { join, resolve } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { Pool } from '../../electron/pool/pool.ts'
import { quietJob } from '../../workers/base/job.ts'
import type { GeneratorChoice } from '../../workers/contract/generators.ts'
import type { DatasetFacts, RunArgs, RunOutcome } from '../../workers/contract/jobs.ts'
import { scratchFolder } from './scratch-folder.ts'

/** Graphs that an engine process of a test file generates before its tests, and runs on them; all gone behind them. */
export class EngineGraphs {
  readonly enginePath = resolve(import.meta.dirname, '../../out/main/engine.js')
  readonly pool = new Pool({ enginePath: this.enginePath })
  readonly scratch = scratchFolder('engine')
  readonly #facts = new Map<string, DatasetFacts>()

  constructor(models: Readonly<Record<string, GeneratorChoice>>) {
    beforeAll(async () => {
      for (const [name, model] of Object.entries(models))
        this.#facts.set(
          name,
          await this.pool.run('generate', { folder: this.folder(name), seed: 3, ...model }, quietJob),
        )
    })
    afterAll(async () => {
      await this.pool.close()
    })
  }

  folder(name: string): string {
    return join(this.scratch, name)
  }

  /** A verified run by degree on the processor, unless `args` says otherwise. */
  run(name: string, args: Partial<RunArgs> & Pick<RunArgs, 'algorithm'>): Promise<RunOutcome> {
    return this.pool.run('run', this.argsOf(name, args), quietJob)
  }

  argsOf(name: string, args: Partial<RunArgs> & Pick<RunArgs, 'algorithm'>): RunArgs {
    const { checksum } = this.#facts.get(name)!
    const place = { folder: this.folder(name), checksum, resultFile: join(this.scratch, `${name}.result`) }
    return { ...place, seed: 0, verify: true, priority: 'degree', device: 'cpu:0', ...args }
  }
}
