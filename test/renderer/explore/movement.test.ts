import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Movement, STILL_MS } from '../../../renderer/src/explore/movement.ts'

/** Frames decide together after five of them; two more lie between a step and the first that counts. */
const FRAMES = 8

describe('a movement of a drawing', () => {
  const changed = vi.fn()
  let movement: Movement
  /** Frames that take so long each, with a step of the camera in every one. */
  const move = (frames: number, frameMs: number): void => {
    for (let i = 0; i < frames; i++) {
      movement.step()
      vi.advanceTimersByTime(frameMs)
      const now = [...waiting.values()]
      waiting.clear()
      for (const callback of now) callback(performance.now())
    }
  }
  const waiting = new Map<number, FrameRequestCallback>()
  let asked = 0
  const left = () => ({ edges: movement.mostEdges, names: movement.hasNames })
  const ALL = { edges: Infinity, names: true }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
      waiting.set(++asked, callback)
      return asked
    })
    vi.stubGlobal('cancelAnimationFrame', (handle: number) => waiting.delete(handle))
    waiting.clear()
    changed.mockClear()
    movement = new Movement(changed)
  })
  afterEach(() => {
    movement.end()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is none of one step alone, and rests once no step follows', () => {
    movement.step()
    expect([movement.isMoving, changed.mock.calls.length]).toEqual([false, 0])
    movement.step()
    expect([movement.isMoving, changed.mock.calls.length]).toEqual([true, 1])
    vi.advanceTimersByTime(STILL_MS - 1)
    expect(movement.isMoving).toBe(true)
    vi.advanceTimersByTime(1)
    expect([movement.isMoving, changed.mock.calls.length]).toEqual([false, 2])
  })

  it('leaves out nothing while frames follow the hand', () => {
    move(4 * FRAMES, 16)
    expect([movement.isMoving, left()]).toEqual([true, ALL])
  })

  it('leaves out most edges, then edges and names, where frames are slow, and nothing at rest', () => {
    move(FRAMES, 50)
    expect(left()).toEqual({ edges: 2000, names: true })
    move(FRAMES, 50)
    expect(left()).toEqual({ edges: 0, names: false })
    vi.advanceTimersByTime(STILL_MS)
    expect([movement.isMoving, left()]).toEqual([false, ALL])
    move(2, 50)
    expect(left()).toEqual({ edges: 0, names: false })
    movement.end()
    movement.forget()
    move(2, 50)
    expect(left()).toEqual(ALL)
  })

  it('counts no frame twice where it begins again before the next one', () => {
    for (let i = 0; i < 4; i++) {
      movement.step()
      movement.step()
      movement.end()
    }
    movement.step()
    movement.step()
    expect([movement.isMoving, waiting.size]).toEqual([true, 1])
    move(5, 50)
    expect(left()).toEqual(ALL)
    move(1, 50)
    expect(left()).toEqual({ edges: 2000, names: true })
  })

  it('takes one late frame for none', () => {
    for (let i = 0; i < 4; i++) {
      move(4, 16)
      move(1, 100)
    }
    expect(left()).toEqual(ALL)
  })
})
