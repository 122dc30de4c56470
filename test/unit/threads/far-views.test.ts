import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { fromPost, toPost } from '../../../workers/threads/far-views.ts'

const GIB = 2 ** 30

/** The value as another thread gets it. */
async function posted(value: unknown): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  try {
    port1.postMessage(toPost(value))
    const [arrived] = (await once(port2, 'message')) as unknown[]
    return fromPost(arrived)
  } finally {
    port1.close()
  }
}

describe('views between threads', () => {
  it('keep their place and length past 4 GiB', async () => {
    const buffer = new SharedArrayBuffer(5 * GIB)
    const [whole, behind] = [new Uint32Array(buffer), new Float64Array(buffer, 4.5 * GIB, 3)]
    behind[2] = 0.5
    const arrived = await posted({ memory: { whole, of: [{ behind }] }, name: 'x' })
    const { memory, name } = arrived as { memory: { whole: Uint32Array; of: [{ behind: Float64Array }] }; name: string }
    expect([memory.whole.length, memory.of[0].behind.byteOffset, name]).toEqual([1.25 * GIB, 4.5 * GIB, 'x'])
    expect([...memory.of[0].behind]).toEqual([0, 0, 0.5])
    memory.whole[whole.length - 1] = 7
    expect(whole.at(-1)).toBe(7)
  })

  it('leave all else as it is, uncopied', () => {
    const value = { near: new Uint32Array(new SharedArrayBuffer(8)), none: null, list: [1, 2], of: [{ a: new Map() }] }
    expect(toPost(value)).toBe(value)
    expect(fromPost(value)).toBe(value)
  })

  it('are refused where none of the kind can be made anew', () => {
    expect(() => toPost({ big: new BigInt64Array(new SharedArrayBuffer(5 * GIB)) })).toThrow('BigInt64Array past 4 GiB')
  })
})
