import { Failure, type FailureValue, usageFailure } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import type { CallArgs, CallName, CallResult } from '../contract/calls.ts'
import { checkCall } from '../contract/check.ts'
import type { ServiceEvent } from '../contract/events.ts'

export interface ServicePort {
  call<N extends CallName>(name: N, args: CallArgs<N>, job?: JobContext): Promise<CallResult<N>>
  listen(listener: (event: ServiceEvent) => void): () => void
  close(): Promise<void>
}

/** Errors that are thrown would lose their fields. */
export type Reply =
  { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly failure: FailureValue }

/** Checks and does a call; always settles. */
export async function answer(service: ServicePort, name: unknown, args: unknown): Promise<Reply> {
  const checked = checkCall(name, args)
  if (!checked.ok) return { ok: false, failure: checked.failure }
  try {
    return { ok: true, result: await service.call(checked.name, checked.args) }
  } catch (error) {
    return { ok: false, failure: failureOf(error, checked.name) }
  }
}

export function refuse(code: FailureValue['code'], what: string, remedy: string, where?: string): Reply {
  return { ok: false, failure: { code, what, where, remedy } }
}

function failureOf(error: unknown, name: CallName): FailureValue {
  if (error instanceof Failure) return error.toValue()
  console.error(error)
  const what = error instanceof Error ? error.message : String(error)
  return { code: 'fault', where: name, what, remedy: 'This is a bug; please report it with the lines of the log.' }
}

/** Calls that depend on the person's screen. */
export type Abilities = { readonly [N in CallName]?: (args: CallArgs<N>) => Promise<CallResult<N>> }

export function withAbilities(service: ServicePort, abilities: Abilities): ServicePort {
  return {
    call: (name, args, job) => {
      const own = abilities[name]
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
    'runs.start': (args) => {
      const { traceFile } = args.request
      return traceFile === undefined ? service.call('runs.start', args) : refuseToWrite(traceFile)
    },
  }
}

async function refuseToWrite(path: string): Promise<never> {
  const remedy = 'Save or download it; or use the command line on this machine.'
  throw usageFailure(path, 'a page does not say where files are written', remedy)
}
