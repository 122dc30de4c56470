/**
 * Faults for tests: ANTICLIQUE_FAULT=NAME@N makes the N-th passage of a point in each thread go wrong (the first without @N). The
 * engine process reads it when it starts.
 */
const faultNames = ['thread', 'part-thread', 'endless', 'device-lost', 'device-memory', 'disk-read'] as const
type FaultName = (typeof faultNames)[number]

interface Wanted {
  readonly name: FaultName
  readonly at: number
}

function parseFault(text: string | undefined): Wanted | undefined {
  const [, name, at = '1'] = /^([a-z-]+)(?:@([1-9]\d*))?$/.exec(text ?? '') ?? []
  const known = faultNames.find((each) => each === name)
  return known === undefined ? undefined : { name: known, at: Number(at) }
}

const wanted = parseFault(process.env['ANTICLIQUE_FAULT'])
let passages = 0

export const isFaulty = wanted !== undefined

export function isFaultDue(name: FaultName): boolean {
  return wanted?.name === name && ++passages === wanted.at
}

export function throwOutside(): void {
  queueMicrotask(() => {
    throw new Error('an injected fault ended this thread')
  })
}

/** A small task would end before the thread does. */
export async function endThreadIfDue(): Promise<void> {
  if (!isFaultDue('part-thread')) return
  throwOutside()
  await new Promise(() => {})
}

export function spin(): never {
  for (;;) passages++
}

export function readError(): Error {
  return Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
}
