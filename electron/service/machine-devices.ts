import { join } from 'node:path'
import type { Library } from '../library/library.ts'
import type { JobRunner } from './job-runner.ts'
import type { StoredDataset } from '../contract/dataset.ts'
import type { Run } from '../contract/run.ts'
import { quietJob, type JobContext } from '../../workers/base/job.ts'
import { autoDevice, type DeviceFacts, type DeviceMemory, type DevicesOutcome } from '../../workers/contract/jobs.ts'

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

/** The plan's choice: it depends on the graph and on memory. */
export class AutoDevices {
  readonly #library: Library
  readonly #runner: JobRunner
  #devices: readonly DeviceFacts[] | undefined

  constructor(library: Library, runner: JobRunner) {
    this.#library = library
    this.#runner = runner
  }

  /** With commas. @param made the dataset of a run that is still made */
  async devicesOf({ request, dataset }: Run, made: () => Promise<StoredDataset> | undefined): Promise<string> {
    this.#devices ??= (await this.#runner.run('devices', {}, quietJob)).devices
    if (this.#devices.filter(({ kind, software }) => kind === 'gpu' && !software).length < 2)
      return autoDevice(this.#devices)
    const known = (await made()) ?? this.#library.datasets.find(dataset)
    if (known === null) return autoDevice(this.#devices)
    const { dataset: _name, ...options } = request
    const target = { kind: 'dataset', folder: this.#library.datasetFolder(known), checksum: known.checksum } as const
    const asked = { ...options, target, folder: this.#library.folder }
    return (await this.#runner.run('plan', asked, quietJob)).device
  }

  forget(): void {
    this.#devices = undefined
  }
}
