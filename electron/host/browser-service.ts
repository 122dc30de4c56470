import { basename } from 'node:path'
import { optionsOf } from '../contract/run.ts'
import { withAbilities, withoutPaths, type ServicePort } from './answer.ts'
import type { ServeFiles } from './serve-files.ts'

/** Uploads stand for paths, and results leave as downloads: a page says no path to write to. */
export function browserService(service: ServicePort, files: ServeFiles): ServicePort {
  const own = withAbilities(service, withoutPaths(service))
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
      const done = await own.call('datasets.import', { ...args, source, sources, vertices, sourceName })
      for (const given of [args.source, ...(args.sources ?? []), args.vertices ?? '']) await files.discard(given)
      return done
    },
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
