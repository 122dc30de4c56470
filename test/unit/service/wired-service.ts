import { join } from 'node:path'
import { beforeEach } from 'vitest'
import type { CallResult } from '../../../electron/contract/calls.ts'
import type { ServiceEvent } from '../../../electron/contract/events.ts'
import type { Run, RunRequest } from '../../../electron/contract/run.ts'
import { Library } from '../../../electron/library/library.ts'
import { Service } from '../../../electron/service/service.ts'
import { request, temporaryFolder } from '../library/fixtures.ts'
import { FakeRunner } from './fake-runner.ts'

interface Wired {
  readonly folder: string
  readonly library: Library
  readonly runner: FakeRunner
  readonly service: Service
}

/** A service on a library and a runner of its own, new for each test of a file. */
export class WiredService {
  /** All but those about long work. */
  readonly events: ServiceEvent[] = []
  #now: Wired | null = null

  constructor() {
    beforeEach(() => {
      const folder = temporaryFolder()
      const library = Library.open(join(folder, 'library'))
      const runner = new FakeRunner()
      const service = new Service({ library, runner })
      this.#now = { folder, library, runner, service }
      this.events.length = 0
      service.listen((event) => {
        if (!event.type.startsWith('work-')) this.events.push(event)
      })
      return () => service.close()
    })
  }

  get #wired(): Wired {
    if (this.#now === null) throw new Error('there is a service only within a test')
    return this.#now
  }
  get folder(): string {
    return this.#wired.folder
  }
  get library(): Library {
    return this.#wired.library
  }
  get runner(): FakeRunner {
    return this.#wired.runner
  }
  get service(): Service {
    return this.#wired.service
  }

  importPath(file = 'path.txt'): Promise<CallResult<'datasets.import'>> {
    return this.service.call('datasets.import', { source: join(this.folder, file) })
  }

  async runToEnd(overrides: Partial<RunRequest> = {}): Promise<Run> {
    const { run } = await this.service.call('runs.start', { request: request(overrides) })
    return (await this.service.call('runs.wait', { run: run.id })).run
  }
}
