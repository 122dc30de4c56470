import { join } from 'node:path'
import type { Library } from '../library/library.ts'
import type { JobContext } from '../../workers/base/job.ts'
import type { DeviceFacts, DeviceMemory, DevicesOutcome } from '../../workers/contract/jobs.ts'
import type { JobRunner } from './job-runner.ts'

export class MachineDevices {
  readonly #library: Library
  readonly #runner: JobRunner
  #known: readonly DeviceFacts[] | null = null

  constructor(library: Library, runner: JobRunner) {
    this.#library = library
    this.#runner = runner
  }

  async list(job: JobContext): Promise<DevicesOutcome> {
    return this.#keep(await this.#runner.run('devices', {}, job))
  }

  async benchmark(job: JobContext): Promise<DevicesOutcome> {
    const benchmark = { folder: join(this.#library.folder, 'datasets') }
    return this.#keep(await this.#runner.run('devices', { benchmark }, job))
  }

  async memory(job: JobContext): Promise<DeviceMemory> {
    const devices = this.#known ?? (await this.list(job)).devices
    return this.#runner.run('device-memory', { devices }, job)
  }

  #keep(outcome: DevicesOutcome): DevicesOutcome {
    this.#known = outcome.devices
    return outcome
  }
}
