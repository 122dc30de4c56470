/**
 * Uploads and downloads of a browser, in one scratch folder that goes with the server: an upload stands for a path, and what is written for a
 * browser leaves as a download, so that a page never says a path. Uploads are streamed, counted against what was announced and against the free
 * disk, all of them together. serve-host.ts has the addresses; browserService puts these files in place of paths.
 */

import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat, statfs } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, dirname, join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure, asFailure, type FailureValue, usageFailure, inputFailure } from '../../workers/base/failure.ts'
import { storageFailure } from '../library/storage-failure.ts'
import { type Download, type DownloadRequest, sentFile } from '../contract/files.ts'
import { type ServicePort, withAbilities, withoutPaths } from './answer.ts'
import { nameOf, safe, takeOut } from './take-out.ts'
import { optionsOf } from '../contract/run.ts'

/** The folder of a server and that of an upload. */
const SENT = /^[^/\\]+[/\\][0-9a-f]{32}[/\\]/

/** Room that is left for the import's own work. */
const SPARE_BYTES = 64 << 20

/** Uploads and downloads of a browser, in one scratch folder. */
export class ServeFiles {
  readonly #folder: string
  readonly #uploads = new Map<string, string>()
  readonly #downloads = new Map<string, string>()
  /** Announced, not yet sent. */
  #announced = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @throws Failure (storage) without room; (input) where it is cut */
  async receive(request: IncomingMessage): Promise<{ source: string; name: string; bytes: number }> {
    const bytes = Number(request.headers['content-length'])
    const name = safe(decoded(request.headers['x-file-name']))
    if (!Number.isSafeInteger(bytes) || bytes < 0)
      throw usageFailure(name, 'the size of the file is missing', 'Send it as a whole.')
    const { id, path } = await this.#place(name)
    let left = bytes
    this.#announced += bytes
    const arrive = (some: number): void => {
      left -= some
      this.#announced -= some
    }
    try {
      await this.#requireRoom(bytes, name)
      await pipeline(counted(request, arrive), createWriteStream(path, { flags: 'wx' }))
      if ((await stat(path)).size !== bytes) throw notWhole(name)
    } catch (error) {
      await rm(dirname(path), { recursive: true, force: true })
      throw request.aborted ? notWhole(name) : asFailure(error, name)
    } finally {
      this.#announced -= left
    }
    this.#uploads.set(id, path)
    return { source: sentFile.source(id, name), name, bytes }
  }

  /** The text itself where it is no upload. @throws Failure (input) for an upload that is gone */
  pathOf(source: string): string {
    const id = sentFile.idOf(source)
    if (id === null) return source
    const path = this.#uploads.get(id)
    if (path !== undefined) return path
    throw inputFailure(undefined, 'the file that was sent is not here any more', 'Choose it again.')
  }

  /** What has failed with files that were sent, with the names that the person gave them. */
  named<T extends { readonly failure: FailureValue | null }>(ended: T): T {
    if (ended.failure === null) return ended
    const { where, what, ...value } = ended.failure
    const named = { ...value, what: this.#named(what), ...(where !== undefined && { where: this.#named(where) }) }
    return { ...ended, failure: named }
  }

  /** A text without the folders of uploads, those of servers before this one too: what failed is kept with its path. */
  #named(text: string): string {
    const above = dirname(this.#folder) + sep
    const [before, ...places] = text.split(above)
    const names = places.map((place) => (SENT.test(place) ? place.replace(SENT, '') : above + place))
    return [before, ...names].join('')
  }

  async discard(source: string): Promise<void> {
    const id = sentFile.idOf(source) ?? ''
    const path = this.#uploads.get(id)
    if (path === undefined) return
    this.#uploads.delete(id)
    await rm(dirname(path), { recursive: true, force: true })
  }

  /** Offers a file at an address that works once. A result comes alone: a page asks for its record by itself, and a browser would ask about both. */
  async offer(service: ServicePort, request: DownloadRequest): Promise<Download> {
    const { path } = await this.#place(nameOf(request))
    const [file, ...beside] = await takeOut(service, request, path)
    const isAlone = request.what === 'result'
    if (isAlone) await Promise.all(beside.map((one) => rm(one, { force: true })))
    const files = isAlone ? [file!] : [file!, ...beside]
    const downloads = files.map(async (file) => {
      const id = randomBytes(24).toString('base64url')
      this.#downloads.set(id, file)
      return { url: `/download/${id}`, fileName: basename(file), bytes: (await stat(file)).size }
    })
    return { how: 'download', downloads: await Promise.all(downloads) }
  }

  async send(id: string, response: ServerResponse): Promise<boolean> {
    const path = this.#downloads.get(id)
    if (path === undefined) return false
    this.#downloads.delete(id)
    const { size } = await stat(path)
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': size,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(basename(path))}`,
      'cache-control': 'no-store',
    })
    try {
      await pipeline(createReadStream(path), response)
    } finally {
      await rm(path, { force: true })
    }
    return true
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #place(name: string): Promise<{ id: string; path: string }> {
    const id = randomBytes(16).toString('hex')
    await mkdir(join(this.#folder, id), { recursive: true, mode: 0o700 })
    return { id, path: join(this.#folder, id, name) }
  }

  /** Refuses a file that does not fit the disk; what is still to come of concurrent uploads counts. */
  async #requireRoom(bytes: number, name: string): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder)
    const free = bavail * bsize
    if (this.#announced + SPARE_BYTES <= free) return
    const mib = (size: number): string => `${(size / 2 ** 20).toFixed(0)} MiB`
    const others = this.#announced - bytes
    throw storageFailure(
      name,
      `the file has ${mib(bytes)}, and the library's disk has ${mib(free)} left${others > 0 ? `, ${mib(others)} of them for other uploads` : ''}`,
      'Free some space.',
    )
  }
}

/** No more comes than was announced: Node takes the rest for another request. */
async function* counted(chunks: AsyncIterable<Buffer>, arrive: (bytes: number) => void) {
  for await (const chunk of chunks) {
    arrive(chunk.length)
    yield chunk
  }
}

function decoded(header: string | string[] | undefined): string {
  try {
    return decodeURIComponent(typeof header === 'string' ? header : '')
  } catch {
    return ''
  }
}

function notWhole(name: string): Failure {
  return inputFailure(name, 'the file did not arrive whole', 'Send it again.')
}

/** Uploads stand for paths, and results leave as downloads: a page says no path to write to. */
export function browserService(service: ServicePort, files: ServeFiles): ServicePort {
  const named: ServicePort = {
    call: (name, args, job) =>
      service.call(name, args, job).catch((error: unknown) => {
        throw error instanceof Failure ? new Failure(files.named({ failure: error.toValue() }).failure) : error
      }),
    listen: (listener) =>
      service.listen((event) => {
        if (event.type === 'work-changed') listener({ ...event, work: files.named(event.work) })
        else if (event.type === 'run-changed') listener({ ...event, run: files.named(event.run) })
        else listener(event)
      }),
    close: () => service.close(),
  }
  const own = withAbilities(named, withoutPaths(service))
  /** Imports of a file that are under way: several graphs of one file go at once. */
  const uses = new Map<string, number>()
  const use = (given: string, change: 1 | -1): number => {
    const now = (uses.get(given) ?? 0) + change
    if (now === 0) uses.delete(given)
    else uses.set(given, now)
    return now
  }
  const optional = (source: string | undefined): string | undefined =>
    source === undefined ? undefined : files.pathOf(source)
  return withAbilities(own, {
    'library.status': async (args) => ({ ...(await own.call('library.status', args)), host: 'browser' }),
    'datasets.import': async (args) => {
      const sources = args.sources?.map((source) => files.pathOf(source))
      const source = files.pathOf(args.source)
      const vertices = optional(args.vertices)
      // The person's file, not its place on this machine.
      const sourceName = args.sourceName ?? (source === args.source ? undefined : basename(source))
      const all = [args.source, ...(args.sources ?? []), args.vertices ?? '']
      for (const given of all) use(given, 1)
      let isDone = false
      try {
        const done = await own.call('datasets.import', { ...args, source, sources, vertices, sourceName })
        isDone = true
        return done
      } finally {
        for (const given of all) if (use(given, -1) === 0 && isDone) await files.discard(given)
      }
    },
    'work.list': async (args) => ({ work: (await own.call('work.list', args)).work.map((one) => files.named(one)) }),
    'runs.list': async (args) => ({ runs: (await own.call('runs.list', args)).runs.map((one) => files.named(one)) }),
    'runs.get': async (args) => ({ run: files.named((await own.call('runs.get', args)).run) }),
    'runs.wait': async (args) => ({ run: files.named((await own.call('runs.wait', args)).run) }),
    'datasets.contents': ({ source }) => own.call('datasets.contents', { source: files.pathOf(source) }),
    'datasets.preview': ({ source, joins, vertices, ...rest }) =>
      own.call('datasets.preview', {
        ...rest,
        source: files.pathOf(source),
        joins: optional(joins),
        vertices: optional(vertices),
      }),
    'runs.start': ({ request, ...order }) => {
      const { columnFile, keepFile, excludeFile } = optionsOf(request)
      const lists = Object.entries({ columnFile, keepFile, excludeFile })
        .filter(([, file]) => file !== undefined)
        .map(([name, file]) => [name, optional(file)] as const)
      return own.call('runs.start', { ...order, request: Object.assign(request, Object.fromEntries(lists)) })
    },
    plan: (args) => own.call('plan', { ...args, target: files.pathOf(args.target) }),
    verify: ({ set, pairs, exclude, ...rest }) =>
      own.call('verify', { ...rest, set: optional(set), pairs: optional(pairs), exclude: optional(exclude) }),
    'export.download': ({ request }) => files.offer(service, request),
  })
}
