import type { BigIntStats } from 'node:fs'

/** The SHA-256 of a file that the engine computes from its start, in memory that its threads share. */
export interface HashAhead {
  /** Which file it is, once it is open. */
  readonly stamp: BigInt64Array
  readonly state: Int32Array
  readonly digest: Uint8Array
}

const STAMP_BYTES = 32
const DIGEST_BYTES = 32
const UNKNOWN = 0
const BEGUN = 1
const DONE = 2
const LEFT = 3
const WATCH_MS = 50

let ours: HashAhead | undefined

export function newHashAhead(): HashAhead {
  const memory = new SharedArrayBuffer(STAMP_BYTES + 4 + DIGEST_BYTES)
  return {
    stamp: new BigInt64Array(memory, 0, STAMP_BYTES / 8),
    state: new Int32Array(memory, STAMP_BYTES, 1),
    digest: new Uint8Array(memory, STAMP_BYTES + 4),
  }
}

/** For {@link hashedAhead} in this thread. */
export function takeHashAhead(ahead: HashAhead): void {
  ours = ahead
}

const stampOf = ({ dev, ino, size, mtimeNs }: BigIntStats): readonly bigint[] => [dev, ino, size, mtimeNs]

/** @param compute calls its argument between pieces, which throws where none is wanted any more */
export async function fillHashAhead(
  { stamp, state, digest }: HashAhead,
  stats: BigIntStats,
  compute: (pause: () => void) => Promise<string>,
): Promise<void> {
  stamp.set(stampOf(stats))
  if (Atomics.compareExchange(state, 0, UNKNOWN, BEGUN) !== UNKNOWN) return
  const pause = (): void => {
    if (Atomics.load(state, 0) === LEFT) throw new Error('it is not wanted')
  }
  try {
    digest.set(Buffer.from(await compute(pause), 'hex'))
    Atomics.store(state, 0, DONE)
  } finally {
    Atomics.compareExchange(state, 0, BEGUN, LEFT)
    Atomics.notify(state, 0)
  }
}

/**
 * Hexadecimal; null where it was not begun, or for another file: it is left then. @param pause called now and then;
 * where it throws, the hash is left too
 */
export async function hashedAhead(stats: BigIntStats, pause: () => Promise<void>): Promise<string | null> {
  if (ours === undefined) return null
  const { stamp, state, digest } = ours
  ours = undefined
  try {
    if (Atomics.load(state, 0) === UNKNOWN || stampOf(stats).some((word, i) => word !== stamp[i])) return null
    while (Atomics.load(state, 0) === BEGUN) {
      await Atomics.waitAsync(state, 0, BEGUN, WATCH_MS).value
      await pause()
    }
    return Atomics.load(state, 0) === DONE ? Buffer.from(digest).toString('hex') : null
  } finally {
    if (Atomics.load(state, 0) !== DONE) Atomics.store(state, 0, LEFT)
  }
}
