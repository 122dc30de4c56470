import { Failure, type FailureValue, usageFailure, valueOf } from '../../workers/base/failure.ts'
import { quietJob, type JobContext } from '../../workers/base/job.ts'
import type { Handlers } from '../contract/calls.ts'
import { checkCall } from '../contract/check.ts'
import type { Service } from '../service/service.ts'

export type ServicePort = Pick<Service, 'call' | 'listen' | 'close'>

/** Errors that are thrown would lose their fields. */
export type Reply =
  { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly failure: FailureValue }

/** Checks and does a call; always settles. @param looking of a page: without it what it looks at is wanted no more */
export async function answer(service: ServicePort, name: unknown, args: unknown, looking?: JobContext): Promise<Reply> {
  const checked = checkCall(name, args)
  if (!checked.ok) return checked
  try {
    const job = checked.name.startsWith('explore.') ? looking : undefined
    return { ok: true, result: await service.call(checked.name, checked.args, job) }
  } catch (error) {
    if (!(error instanceof Failure)) console.error(error)
    const remedy = 'This is a bug; please report it with the lines of the log.'
    return { ok: false, failure: { where: checked.name, ...valueOf(error, remedy) } }
  }
}

/** @param abilities calls that depend on the person's screen */
export function withAbilities(service: ServicePort, abilities: Partial<Handlers>): ServicePort {
  return {
    call: (name, args, job) => {
      const own = abilities[name]
      return own === undefined ? service.call(name, args, job) : own(args, job ?? quietJob)
    },
    listen: (listener) => service.listen(listener),
    close: () => service.close(),
  }
}

/** No page says where a file is written: it asks for `export.download`. */
export function withoutPaths(service: ServicePort): Partial<Handlers> {
  return {
    export: ({ output }) => refuseToWrite(output),
    archive: ({ output }) => refuseToWrite(output),
    'archive.unpack': ({ folder }) => refuseToWrite(folder),
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
