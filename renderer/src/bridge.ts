import { z } from 'zod'
import { calls, failureSchema, type CallArgs, type CallName, type CallResult } from '../../electron/contract/calls.ts'
import { sentenceOfMismatch } from '../../electron/contract/check.ts'
import { eventSchema, type ServiceEvent } from '../../electron/contract/events.ts'
import { onScopeDispose, readonly, ref, type Ref } from 'vue'

/** Whether the program is there: `lost` while it is tried again, `refused` when that would not help. */
export type Reach = 'there' | 'lost' | 'refused'

/** What the preload script puts on the window; everything that comes over it is checked here. */
export interface Bridge {
  call(name: string, args: unknown): Promise<unknown>
  on(listener: (event: unknown) => void): () => void
  /** Says whether the program can be reached, if it can go while the page stays. */
  onReach?(listener: (reach: Reach) => void): () => void
  /** A file of the person's as a source for `datasets.import`: its path in the window, an upload under `serve`. */
  take?(file: File): Promise<string>
}

declare global {
  interface Window {
    readonly anticlique?: Bridge
  }
}

const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({ ok: z.literal(false), failure: failureSchema }),
])

export type FailureValue = z.infer<typeof failureSchema>

export class CallFailed extends Error {
  readonly failure: FailureValue

  constructor(failure: FailureValue) {
    super(sentenceOf(failure))
    this.failure = failure
  }
}

export function sentenceOf({ where, what, remedy }: FailureValue): string {
  const sentence = /[.?!]$/.test(what) ? what : `${what}.`
  return `${where === undefined ? '' : `${where}: `}${sentence} ${remedy}`
}

/** Asks the service; throws {@link CallFailed} when it cannot be done. The one way in which pages and stores reach it. */
export async function ask<N extends CallName>(name: N, args: CallArgs<N>): Promise<CallResult<N>> {
  const bridge = window.anticlique
  if (bridge === undefined) throw new Error('the page was opened without the program around it')
  const reply = replySchema.parse(await bridge.call(name, args))
  if (!reply.ok) throw new CallFailed(reply.failure)
  const schema: z.ZodType<unknown> = calls[name].result
  const checked = schema.safeParse(reply.result)
  if (checked.success) return checked.data as CallResult<N>
  const remedy = 'The page and the program may be of different versions: load the page again.'
  throw new CallFailed({ code: 'fault', where: name, what: sentenceOfMismatch(checked.error), remedy })
}

/** Hears the service's events; one that does not fit the contract is left out, not shown half. */
export function listen(bridge: Bridge, listener: (event: ServiceEvent) => void): () => void {
  return bridge.on((event) => {
    const checked = eventSchema.safeParse(event)
    if (checked.success) listener(checked.data)
  })
}

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

/** A connection that is back sooner was hardly gone. */
const PATIENCE_MS = 1000

export function useReach(): Readonly<Ref<Reach>> {
  const reach = ref<Reach>('there')
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = window.anticlique?.onReach?.((now) => {
    clearTimeout(timer)
    if (now === 'lost') timer = setTimeout(() => (reach.value = now), PATIENCE_MS)
    else reach.value = now
  })
  onScopeDispose(() => {
    clearTimeout(timer)
    stop?.()
  })
  return readonly(reach)
}
