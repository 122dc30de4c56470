import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LandLayer, type MapFrame, type Outline } from '../../../renderer/src/explore/map-ground.ts'

/** Places of the earth, as longitude and latitude. */
const PLACES = [
  [-120, 48],
  [0, 0],
  [13.4, 52.5],
  [151, -34],
] as const
const [WIDTH, HEIGHT] = [800, 500]

/** A frame in which a degree of longitude is so many pixels wide, with a place in its middle. */
const frameOf = (across: number, [x, y]: readonly [number, number]): MapFrame => ({
  ...{ left: WIDTH / 2 - across * x, top: HEIGHT / 2 + 1.5 * across * y, across, down: -1.5 * across },
  ...{ centre: 0, width: WIDTH, height: HEIGHT },
})

describe('the land beneath a map', () => {
  let filled: { readonly outline: Outline; readonly colour: string }[]
  let drawings: number
  let land: LandLayer
  const { getContext } = HTMLCanvasElement.prototype

  beforeEach(() => {
    filled = []
    drawings = 0
    vi.stubGlobal('Path2D', OutlinePath)
    const context = {
      fillStyle: '',
      scale: () => (filled = []),
      fill: ({ corners }: OutlinePath) => filled.push({ outline: corners, colour: context.fillStyle }),
    }
    Object.assign(HTMLCanvasElement.prototype, { getContext: () => context })
    land = new LandLayer()
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    Object.assign(HTMLCanvasElement.prototype, { getContext })
  })

  const show = (frame: MapFrame, isMoving: boolean, colour = 'green'): void => {
    const outlinesOf = ({ left, top, across, down }: MapFrame): readonly Outline[] => {
      drawings++
      return [PLACES.flatMap(([x, y]) => [left + across * x, top + down * y])]
    }
    land.show(frame, outlinesOf, colour, isMoving)
  }

  /** The places as they are seen: drawn on the canvas, which is put beside the sight and then moved and stretched. */
  const seen = (): readonly (readonly number[])[] => {
    const { left, top, transform } = land.canvas.style
    const [moveX = 0, moveY = 0, scale = 1] = [...transform.matchAll(/-?[\d.]+(?:e-?\d+)?/g)].map(Number)
    const { outline } = filled.at(-1)!
    return PLACES.map((_, i) => [
      parseFloat(left) + moveX + scale * outline[2 * i]!,
      parseFloat(top) + moveY + scale * outline[2 * i + 1]!,
    ])
  }
  const expected = ({ left, top, across, down }: MapFrame) =>
    PLACES.map(([x, y]) => [left + across * x, top + down * y])
  const expectSeen = (frame: MapFrame): void => {
    for (const [i, [x, y]] of expected(frame).entries()) {
      expect(seen()[i]![0]).toBeCloseTo(x!, 4)
      expect(seen()[i]![1]).toBeCloseTo(y!, 4)
    }
  }

  it('is where its places are, drawn anew or moved and stretched, in any movement', () => {
    let state = 7
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
    let [across, x, y] = [4, 0, 20]
    for (let step = 0; step < 300; step++) {
      across = Math.min(400, Math.max(1, across * 1.5 ** (2 * random() - 1)))
      x += (random() - 0.5) * (100 / across)
      y += (random() - 0.5) * (60 / across)
      const frame = frameOf(across, [x, y])
      show(frame, step % 9 !== 8)
      expectSeen(frame)
    }
    expect(drawings).toBeGreaterThan(34)
    expect(drawings).toBeLessThan(200)
  })

  it('is not drawn again while a movement stays within what is there, and is at rest', () => {
    show(frameOf(4, [0, 20]), false)
    show(frameOf(4, [10, 22]), true)
    show(frameOf(5, [8, 22]), true)
    expect(drawings).toBe(1)
    show(frameOf(5, [8, 22]), false)
    expect([drawings, land.canvas.style.transform]).toEqual([2, ''])
    show(frameOf(5, [8, 22]), false)
    expect(drawings).toBe(2)
  })

  it('is drawn in a movement that leaves what is there, or makes it coarse', () => {
    show(frameOf(4, [0, 20]), false)
    show(frameOf(4, [80, 20]), true)
    expect(drawings).toBe(2)
    show(frameOf(2, [80, 20]), true)
    expect(drawings).toBe(3)
    show(frameOf(8.1, [80, 20]), true)
    expect(drawings).toBe(4)
  })

  it('is drawn for another colour or size of the page, also in a movement', () => {
    const frame = frameOf(4, [0, 20])
    show(frame, true)
    show(frame, true, 'grey')
    expect([drawings, filled.at(-1)?.colour]).toEqual([2, 'grey'])
    show({ ...frame, width: WIDTH + 1 }, true, 'grey')
    expect([drawings, filled.length]).toEqual([3, 1])
  })
})

/** The corners of an outline, in the order in which they are drawn. */
class OutlinePath {
  readonly corners: number[] = []
  moveTo(x: number, y: number): void {
    this.corners.push(x, y)
  }
  lineTo(x: number, y: number): void {
    this.corners.push(x, y)
  }
  closePath(): void {}
}
