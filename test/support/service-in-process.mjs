// The service over a library of its own, the real engine below it, for scripts that look at one engine for long. Node 24 runs the
// sources as they are; the engine is the built one (npm run build).
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Library } from '../../electron/library/library.ts'
import { Pool } from '../../electron/pool/pool.ts'
import { Service } from '../../electron/service/service.ts'
import { residentBytes } from './process-memory.mjs'

export const enginePath = fileURLToPath(new URL('../../out/main/engine.js', import.meta.url))

export class ServiceInProcess {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'service-in-process-'))
    this.library = Library.open(join(this.folder, 'library'))
    this.pool = new Pool({ enginePath })
    this.service = new Service({ library: this.library, runner: this.pool })
  }

  generate(choice) {
    return this.service.call('datasets.generate', { ...choice, seed: 3 })
  }

  async start(request) {
    const whole = { algorithm: 'ecl-mis', device: 'cpu:0', priority: 'degree', seed: 0, verify: false, ...request }
    return (await this.service.call('runs.start', { request: whole })).run
  }

  async wait({ id }) {
    return (await this.service.call('runs.wait', { run: id })).run
  }

  /** Resident memory, open handles and threads of the engine. */
  engine() {
    const pid = this.pool.enginePid
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return {
      pid,
      bytes: residentBytes(pid),
      handles: readdirSync(`/proc/${pid}/fd`).length,
      threads: Number(/Threads:\s+(\d+)/.exec(status)[1]),
    }
  }

  unfinished({ id }) {
    return readdirSync(this.library.runFolder(id)).filter((name) => name.includes('partial'))
  }

  async close() {
    await this.service.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
