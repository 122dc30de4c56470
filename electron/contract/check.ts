import { z } from 'zod'
import type { FailureValue } from '../../workers/base/failure.ts'
import { calls, isCallName, type CallArgs, type CallName } from './calls.ts'

/** The largest are charts that a page saves. */
export const MAX_MESSAGE_BYTES = 16 << 20
/** Besides its text. */
const VALUE_BYTES = 8

type CheckedCall =
  | { readonly ok: true; readonly name: CallName; readonly args: CallArgs<CallName> }
  | { readonly ok: false; readonly failure: FailureValue }

/** Never throws. */
export function checkCall(name: unknown, args: unknown): CheckedCall {
  if (typeof name !== 'string' || !isCallName(name))
    return refused(`there is no call named ${quoted(name)}`, 'The page and the program do not match: load it again.')
  if (!isSmall(args))
    return refused(
      `the message is larger than ${MAX_MESSAGE_BYTES >> 20} MiB`,
      'Send the file itself, not its text.',
      name,
    )
  const checked = calls[name].args.safeParse(args)
  if (checked.success) return { ok: true, name, args: checked.data }
  const issue = checked.error.issues[0]
  const where = [name, ...(issue?.path ?? []).map(String)].join('.')
  return refused(issue?.message ?? 'the arguments do not fit', 'Correct this value and try again.', where)
}

function refused(what: string, remedy: string, where?: string): CheckedCall {
  return { ok: false, failure: { code: 'usage', what, where, remedy } }
}

const quoted = (name: unknown): string =>
  typeof name === 'string' ? JSON.stringify(name.slice(0, 100)) : `<${name === null ? 'null' : typeof name}>`

/** Stops at the limit: values of IPC may have cycles. */
function isSmall(value: unknown): boolean {
  const stack: unknown[] = [value]
  let bytes = 0
  for (let next = stack.pop(); next !== undefined || stack.length > 0; next = stack.pop()) {
    bytes += VALUE_BYTES + sizeOf(next)
    // There may be millions of children.
    if (bytes > MAX_MESSAGE_BYTES) return false
    if (typeof next === 'object' && next !== null && !ArrayBuffer.isView(next))
      for (const [key, child] of Object.entries(next)) {
        bytes += key.length
        stack.push(child)
      }
  }
  return true
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return VALUE_BYTES * value.length
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? value.byteLength : 0
}

export function sentenceOfMismatch(error: z.ZodError): string {
  const issue = error.issues[0]
  const path = issue?.path.map(String).join('.') ?? ''
  return `a value does not have the shape that was agreed on (${[path, issue?.message].filter(Boolean).join(': ')})`
}
