import { basename } from 'node:path'
import type { CallArgs, CallName, CallResult } from '../contract/calls.ts'
import { optionsOf } from '../contract/run.ts'
import { withAbilities, withoutPaths, type ServicePort } from './answer.ts'
import type { ServeFiles } from './serve-files.ts'

/** Uploads stand for paths, and results leave as downloads: a page says no path to write to. */
export function browserService(service: ServicePort, files: ServeFiles): ServicePort {
  const own = withAbilities(service, withoutPaths(service))
  const ask = async <N extends CallName>(name: N, args: CallArgs<N>): Promise<CallResult<N>> =>
    (await own.call(name, args)) as CallResult<N>
  const optional = (source: string | undefined): string | undefined =>
    source === undefined ? undefined : files.pathOf(source)
  return withAbilities(own, {
    'library.status': async (args) => ({ ...(await ask('library.status', args)), host: 'browser' }),
    'datasets.import': async (args) => {
      const sources = args.sources?.map((source) => files.pathOf(source))
      const source = files.pathOf(args.source)
      const vertices = optional(args.vertices)
      // The person's file, not its place on this machine.
      const sourceName = args.sourceName ?? (source === args.source ? undefined : basename(source))
      const done = await ask('datasets.import', { ...args, source, sources, vertices, sourceName })
      for (const given of [args.source, ...(args.sources ?? []), args.vertices ?? '']) await files.discard(given)
      return done
    },
    'datasets.preview': ({ source, joins, vertices, ...rest }) =>
      ask('datasets.preview', {
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
      return ask('runs.start', { ...order, request: Object.assign(request, Object.fromEntries(lists)) })
    },
    plan: (args) => ask('plan', { ...args, target: files.pathOf(args.target) }),
    verify: ({ set, pairs, exclude, ...rest }) =>
      ask('verify', { ...rest, set: optional(set), pairs: optional(pairs), exclude: optional(exclude) }),
    'export.download': ({ request }) => files.offer(service, request),
  })
}
