/**
 * Faults on demand, so that tests can see what follows from them: ANTICLIQUE_FAULT=NAME@N lets the N-th passage of a point (the
 * first where @N is left out), counted in each thread, go wrong. Only the engine process reads it, when it starts.
 */
const faultNames = ['thread', 'part-thread', 'endless', 'device-lost', 'device-memory', 'disk-read'] as const
export type FaultName = (typeof faultNames)[number]

interface Wanted {
  readonly name: FaultName
  readonly at: number
}

/** Undefined for nothing, and for what is none of the names. */
function parseFault(text: string | undefined): Wanted | undefined {
  const [, name, at = '1'] = /^([a-z-]+)(?:@([1-9]\d*))?$/.exec(text ?? '') ?? []
  const known = faultNames.find((each) => each === name)
  return known === undefined ? undefined : { name: known, at: Number(at) }
}

const wanted = parseFault(process.env['ANTICLIQUE_FAULT'])
let passages = 0

/** Whether this process is to go wrong at all. */
export const isFaulty = wanted !== undefined

/** Whether the point that this is called at goes wrong now. */
export function isFaultDue(name: FaultName): boolean {
  return wanted?.name === name && ++passages === wanted.at
}

/** What a bug in a callback does: it is not caught, and the thread ends. */
export function throwOutside(): void {
  queueMicrotask(() => {
    throw new Error('an injected fault ended this thread')
  })
}

/** Ends this thread where that is due; a small task would end before it does. */
export async function endThreadIfDue(): Promise<void> {
  if (!isFaultDue('part-thread')) return
  throwOutside()
  await new Promise(() => {})
}

/** What a loop without an end does: it looks at no signal, and its thread gives no other work a turn. */
export function spin(): never {
  for (;;) passages++
}

/** What the operating system says of a disk that cannot be read. */
export function readError(): Error {
  return Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
}
