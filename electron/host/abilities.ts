import { Failure } from '../../workers/base/failure.ts'
import type { CallArgs, CallName, CallResult } from '../contract/calls.ts'
import type { ServicePort } from './answer.ts'

/** Calls that depend on the person's screen. */
export type Abilities = { readonly [N in CallName]?: (args: CallArgs<N>) => Promise<CallResult<N>> }

export function withAbilities(service: ServicePort, abilities: Abilities): ServicePort {
  return {
    call: (name, args, job) => {
      const own = abilities[name] as ((args: CallArgs<CallName>) => Promise<unknown>) | undefined
      return own === undefined ? service.call(name, args, job) : own(args)
    },
    listen: (listener) => service.listen(listener),
    close: () => service.close(),
  }
}

/** No page says where a file is written: it asks for `export.download`. */
export function withoutPaths(service: ServicePort): Abilities {
  return {
    export: ({ output }) => refuseToWrite(output),
    'datasets.export': ({ output }) => refuseToWrite(output),
    'runs.start': async (args) => {
      if (args.request.traceFile !== undefined) return refuseToWrite(args.request.traceFile)
      return (await service.call('runs.start', args)) as CallResult<'runs.start'>
    },
  }
}

function refuseToWrite(path: string): Promise<never> {
  return Promise.reject(
    new Failure({
      code: 'usage',
      where: path,
      what: 'a page does not say where files are written',
      remedy: 'Save or download it; or use the command line on this machine.',
    }),
  )
}
