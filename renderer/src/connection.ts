import type { z } from 'zod'
import type { CallArgs, CallName, CallResult } from '../../electron/contract/calls.ts'
import type { failureSchema } from '../../electron/contract/failure.ts'
import { CallFailed, call } from './bridge.ts'

export type FailureValue = z.infer<typeof failureSchema>

/** Asks the service; throws {@link CallFailed} when it cannot be done. The one way in which pages and stores reach it. */
export async function ask<N extends CallName>(name: N, args: CallArgs<N>): Promise<CallResult<N>> {
  const bridge = window.anticlique
  if (bridge === undefined) throw new Error('the page was opened without the program around it')
  return call(bridge, name, args)
}

/** Whatever was thrown, as a failure to show: an expected one keeps its words, anything else is a bug and says so. */
export function failureOf(error: unknown): FailureValue {
  if (error instanceof CallFailed) return error.failure
  const what = error instanceof Error ? error.message : String(error)
  return { code: 'fault', what, remedy: 'This is a bug; please report it with these words.' }
}

const SOON_MS = 350

/**
 * Starts long work from a dialog. Settles soon: when it goes on (its card tells the rest), or by throwing when it was refused at
 * once, so that the dialog can say why while it is still open.
 */
export async function startWork(work: Promise<unknown>): Promise<void> {
  const soon = new Promise((settle) => setTimeout(settle, SOON_MS))
  // A failure after that is told by the card.
  work.catch(() => {})
  await Promise.race([work, soon])
}

export async function takeFile(file: File): Promise<string> {
  const bridge = window.anticlique
  if (bridge?.take === undefined) throw new Error('this program takes no files from the page')
  return bridge.take(file)
}
