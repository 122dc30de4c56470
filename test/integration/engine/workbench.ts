import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runRequestSchema, type Run } from '../../../electron/contract/run.ts'
import { Library } from '../../../electron/library/library.ts'
import { Pool } from '../../../electron/pool/pool.ts'
import { Service } from '../../../electron/service/service.ts'
import type { GeneratorChoice } from '../../../workers/contract/generators.ts'

const enginePath = resolve(import.meta.dirname, '../../../out/main/engine.js')

/** A request; what it leaves out is as usual. */
interface Asked {
  readonly dataset: string
  readonly [option: string]: unknown
}

/** A library, the real engine and the service over both, in a folder of their own. */
export class Workbench {
  readonly folder = mkdtempSync(join(tmpdir(), 'anticlique-engine-'))
  readonly library = Library.open(join(this.folder, 'library'))
  readonly pool = new Pool({ enginePath })
  readonly service = new Service({ library: this.library, runner: this.pool })

  async generate(name: string, choice: GeneratorChoice): Promise<string> {
    const { dataset } = await this.service.call('datasets.generate', { ...choice, seed: 3, name })
    return this.library.datasetFolder(dataset)
  }

  async start(request: Asked, retries = 0, source?: string): Promise<Run> {
    const whole = runRequestSchema.parse({ algorithm: 'ecl-mis', device: 'cpu:0', ...request })
    return (await this.service.call('runs.start', { request: whole, retries, source })).run
  }

  async wait(run: Run): Promise<Run> {
    return (await this.service.call('runs.wait', { run: run.id })).run
  }

  async run(request: Asked, retries = 0): Promise<Run> {
    return this.wait(await this.start(request, retries))
  }

  async close(): Promise<void> {
    await this.service.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
