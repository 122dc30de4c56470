import { join } from 'node:path'
import type { StoredDataset } from '../contract/dataset.ts'
import { optionsOf, type Run } from '../contract/run.ts'
import type { Library } from '../library/library.ts'
import { quietJob, type JobContext } from '../../workers/base/job.ts'
import {
  autoDevice,
  isForProcessor,
  type DeviceFacts,
  type DeviceMemory,
  type DevicesOutcome,
} from '../../workers/contract/jobs.ts'
import type { JobRunner } from '../pool/pool.ts'

export class MachineDevices {
  readonly #library: Library
  readonly #runner: JobRunner
  #known: readonly DeviceFacts[] | null = null

  readonly #mayHaveGpu: () => boolean

  /** @param mayHaveGpu false: no GPU is looked for where any device will do */
  constructor(library: Library, runner: JobRunner, mayHaveGpu: () => boolean) {
    this.#library = library
    this.#runner = runner
    this.#mayHaveGpu = mayHaveGpu
  }

  async list(job: JobContext, args = {}): Promise<DevicesOutcome> {
    const outcome = await this.#runner.run('devices', args, job)
    this.#known = outcome.devices
    return outcome
  }

  benchmark(job: JobContext): Promise<DevicesOutcome> {
    return this.list(job, { benchmark: { folder: join(this.#library.folder, 'datasets') } })
  }

  async memory(job: JobContext): Promise<DeviceMemory> {
    return this.#runner.run('device-memory', { devices: await this.#devices(job) }, job)
  }

  /** What `auto` stands for, with commas: the plan's choice depends on the graph and on memory. @param made the dataset of a run that is still made */
  async autoFor({ request, dataset }: Run, made: () => Promise<StoredDataset> | undefined): Promise<string> {
    const asked = this.#library.datasets.find(dataset)
    if (!this.#mayHaveGpu() || (asked !== null && isForProcessor(optionsOf(request), request.algorithm, asked.arcs)))
      return 'cpu:0'
    const devices = await this.#devices(quietJob)
    if (devices.filter(({ kind, software }) => kind === 'gpu' && !software).length < 2) return autoDevice(devices)
    const known = (await made()) ?? this.#library.datasets.find(dataset)
    if (known === null) return autoDevice(devices)
    const { dataset: _name, ...options } = request
    const target = { kind: 'dataset', ...this.#library.place(known) } as const
    const planned = { ...options, target, folder: this.#library.folder }
    return (await this.#runner.run('plan', planned, quietJob)).device
  }

  /** One of them may be gone. */
  forget(): void {
    this.#known = null
  }

  async #devices(job: JobContext): Promise<readonly DeviceFacts[]> {
    return this.#known ?? (await this.list(job)).devices
  }
}
