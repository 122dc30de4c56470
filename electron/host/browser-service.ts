import { basename } from 'node:path'
import { Failure } from '../../workers/failure.ts'
import type { CallArgs, CallName, CallResult } from '../contract/calls.ts'
import { withAbilities } from './abilities.ts'
import type { ServicePort } from './answer.ts'
import type { ServeFiles } from './serve-files.ts'

/**
 * The service as a browser gets it: uploads stand for paths, and what is taken out leaves as downloads. Files of the
 * program's machine may be read, which is what an import is; none is written where a page says.
 */
export function browserService(service: ServicePort, files: ServeFiles): ServicePort {
  const ask = async <N extends CallName>(name: N, args: CallArgs<N>): Promise<CallResult<N>> =>
    (await service.call(name, args)) as CallResult<N>
  const optional = (source: string | undefined): string | undefined =>
    source === undefined ? undefined : files.pathOf(source)
  return withAbilities(service, {
    'library.status': async (args) => ({ ...(await ask('library.status', args)), host: 'browser' }),
    'datasets.import': async (args) => {
      const sources = args.sources?.map((source) => files.pathOf(source))
      const source = files.pathOf(args.source)
      // The report of an upload names the person's file, not where it lay meanwhile.
      const sourceName = args.sourceName ?? (source === args.source ? undefined : basename(source))
      const done = await ask('datasets.import', { ...args, source, sources, sourceName })
      for (const source of [args.source, ...(args.sources ?? [])]) await files.discard(source)
      return done
    },
    'datasets.preview': (args) => ask('datasets.preview', { ...args, source: files.pathOf(args.source) }),
    'datasets.export': ({ output }) => refuseToWrite(output),
    'runs.start': ({ request, ...order }) => {
      if (request.traceFile !== undefined) return refuseToWrite(request.traceFile)
      const { columnFile, keepFile, excludeFile } = request
      const lists = {
        columnFile: optional(columnFile),
        keepFile: optional(keepFile),
        excludeFile: optional(excludeFile),
      }
      return ask('runs.start', { ...order, request: { ...request, ...lists } })
    },
    plan: (args) => ask('plan', { ...args, target: files.pathOf(args.target) }),
    verify: ({ of, set, exclude }) => ask('verify', { of, set: optional(set), exclude: optional(exclude) }),
    export: ({ output }) => refuseToWrite(output),
    'export.download': ({ request }) => files.offer(service, request),
  })
}

function refuseToWrite(path: string): Promise<never> {
  return Promise.reject(
    new Failure({
      code: 'usage',
      where: path,
      what: 'a page in a browser does not say where files are written',
      remedy: 'Download it; or use the command line on this machine.',
    }),
  )
}
