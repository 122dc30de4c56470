import { existsSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Serving } from '../../../electron/host/serve-host.ts'
import { Workbench } from '../engine/workbench.ts'
import { ContractClient } from './contract-client.ts'
import { overSocket, served } from './hosts.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A workbench that is served, and what one needs to speak with it as no browser would. */
export class ServedWorkbench {
  readonly bench: Workbench
  readonly scratch: string
  readonly url: URL
  readonly client: ContractClient
  readonly #serving: Serving
  #cookie = ''

  private constructor(bench: Workbench, scratch: string, serving: Serving) {
    this.bench = bench
    this.scratch = scratch
    this.url = new URL(serving.url)
    this.client = new ContractClient(overSocket(serving))
    this.#serving = serving
  }

  static async open(): Promise<ServedWorkbench> {
    const bench = new Workbench()
    const scratch = join(bench.folder, 'scratch')
    const opened = new ServedWorkbench(bench, scratch, await served(bench.service, scratch))
    const entered = await opened.http(opened.url.pathname + opened.url.search)
    opened.#cookie = entered.headers['set-cookie']![0]!.split(';')[0]!
    return opened
  }

  get cookie(): string {
    return this.#cookie
  }

  async close(): Promise<void> {
    await this.#serving.close()
    await this.bench.close()
    expect(existsSync(this.scratch)).toBe(false)
  }

  /** Any path, any Host, any Origin. */
  http(path: string, headers: Record<string, string> = {}, body?: string | Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const asked = request({ host: '127.0.0.1', port: this.url.port, path, method, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      })
      asked.on('error', reject)
      asked.end(body)
    })
  }

  async expectAlive(): Promise<void> {
    expect((await this.client.call('runs.list', {})).runs).toEqual([])
  }
}
