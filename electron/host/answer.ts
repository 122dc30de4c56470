import { Failure } from '../../workers/failure.ts'
import type { FailureValue } from '../../workers/failure.ts'
import { calls, isCallName } from '../contract/calls.ts'
import type { CallArgs, CallName } from '../contract/calls.ts'
import type { ServiceEvent } from '../contract/events.ts'

/** What a host needs of the service: calls by name with checked arguments, and its events. */
export interface ServicePort {
  call(name: CallName, args: CallArgs<CallName>): Promise<unknown>
  /** Returns the function that ends listening. */
  listen(listener: (event: ServiceEvent) => void): () => void
  close(): Promise<void>
}

/** A call's end as it goes over a wire, where thrown errors would lose their fields. */
export type Reply =
  { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly failure: FailureValue }

/** Checks a call from the other side of a boundary, does it, and always settles with a reply. */
export async function answer(service: ServicePort, name: unknown, args: unknown): Promise<Reply> {
  if (typeof name !== 'string' || !isCallName(name)) {
    return refuse('usage', `there is no call named ${JSON.stringify(name)}`, 'The page and the program do not match.')
  }
  const checked = calls[name].args.safeParse(args)
  if (!checked.success) {
    const issue = checked.error.issues[0]
    const where = issue === undefined ? name : [name, ...issue.path].join('.')
    return refuse('usage', issue?.message ?? 'the arguments do not fit', 'Correct this value and try again.', where)
  }
  try {
    return { ok: true, result: await service.call(name, checked.data) }
  } catch (error) {
    return { ok: false, failure: failureOf(error, name) }
  }
}

export function refuse(code: FailureValue['code'], what: string, remedy: string, where?: string): Reply {
  return { ok: false, failure: { code, what, where, remedy } }
}

/** An expected failure keeps its words; a bug is told in one line here and with its stack in the program's log. */
function failureOf(error: unknown, name: CallName): FailureValue {
  if (error instanceof Failure) return error.toValue()
  console.error(error)
  const what = error instanceof Error ? error.message : String(error)
  return { code: 'fault', where: name, what, remedy: 'This is a bug; please report it with the lines of the log.' }
}
