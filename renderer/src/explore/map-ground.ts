/** Pixels of places of the earth: longitude x is at left + across * x, latitude y at top + down * y. */
export interface MapFrame {
  readonly left: number
  readonly top: number
  readonly across: number
  readonly down: number
  /** The longitude in the middle of the map. */
  readonly centre: number
  readonly width: number
  readonly height: number
}

/** Pixels x, y of an outline, one after the other. */
export type Outline = readonly number[]

export interface ScaleBar {
  readonly pixels: number
  readonly text: string
}

const KM_OF_DEGREE = 111.2
const LONGEST_BAR = 120
export const BAR_AT = { left: 16, bottom: 18 } as const

/** A length of round kilometres; null before anything is drawn. @param degree pixels of a degree of latitude */
export function scaleBar(degree: number): ScaleBar | null {
  const most = (LONGEST_BAR / degree) * KM_OF_DEGREE
  const power = 10 ** Math.floor(Math.log10(most))
  if (!Number.isFinite(power)) return null
  const km = [5, 2, 1].map((digit) => digit * power).find((length) => length <= most)!
  const text = km < 1 ? `${Number((1000 * km).toPrecision(1))} m` : `${km.toLocaleString()} km`
  return { pixels: (km / KM_OF_DEGREE) * degree, text }
}

function pathOfLand(outlines: readonly Outline[]): Path2D {
  const path = new Path2D()
  for (const outline of outlines) {
    for (let i = 0; i < outline.length; i += 2)
      if (i === 0) path.moveTo(outline[0]!, outline[1]!)
      else path.lineTo(outline[i]!, outline[i + 1]!)
    path.closePath()
  }
  return path
}

/** The part of a width and height that is drawn beside each side, for the next move. */
const MARGIN = 0.25

/** The land beneath a map. A movement moves and stretches the picture of it, as long as that covers the sight; it is drawn anew once that rests. */
export class LandLayer {
  readonly canvas = document.createElement('canvas')
  #drawn: { readonly frame: MapFrame; readonly key: string } | null = null

  constructor() {
    this.canvas.className = 'sigma-land'
    Object.assign(this.canvas.style, { position: 'absolute', zIndex: '-1', transformOrigin: '0 0' })
  }

  show(frame: MapFrame, outlinesOf: (frame: MapFrame) => readonly Outline[], colour: string, isMoving: boolean): void {
    const { width, height } = frame
    const [beside, above] = [MARGIN * width, MARGIN * height]
    const key = [colour, width, height, frame.centre, window.devicePixelRatio].join(' ')
    const moved = this.#drawn?.key === key ? moveOf(this.#drawn.frame, frame) : null
    const isSame = moved?.scale === 1 && moved.left === 0 && moved.top === 0
    if (isSame || (isMoving && moved !== null && covers(moved, frame))) {
      const [left, top] = [moved.left + beside * (1 - moved.scale), moved.top + above * (1 - moved.scale)]
      this.canvas.style.transform = `translate(${left}px, ${top}px) scale(${moved.scale})`
      return
    }
    this.#drawn = { frame, key }
    const [wide, high] = [width + 2 * beside, height + 2 * above]
    Object.assign(this.canvas, { width: wide * window.devicePixelRatio, height: high * window.devicePixelRatio })
    const at = { left: `${-beside}px`, top: `${-above}px`, width: `${wide}px`, height: `${high}px` }
    Object.assign(this.canvas.style, at, { transform: '' })
    // A processor fills an outline of thousands of corners in little; a GPU in software takes ten times as long.
    const context = this.canvas.getContext('2d', { willReadFrequently: true })!
    context.scale(window.devicePixelRatio, window.devicePixelRatio)
    context.fillStyle = colour
    const around = { ...frame, left: frame.left + beside, top: frame.top + above, width: wide, height: high }
    context.fill(pathOfLand(outlinesOf(around)), 'evenodd')
  }
}

interface Move {
  readonly scale: number
  readonly left: number
  readonly top: number
}

/** How a picture of one frame is moved to be one of another: scaled about its left top corner, then shifted. */
function moveOf(from: MapFrame, to: MapFrame): Move {
  const scale = to.across / from.across
  return { scale, left: to.left - scale * from.left, top: to.top - scale * from.top }
}

/** Whether what was drawn, its margin included, still covers the sight, not too coarsely. */
function covers({ scale, left, top }: Move, { width, height }: MapFrame): boolean {
  const isOver = (start: number, long: number): boolean =>
    start - scale * MARGIN * long <= 0 && start + scale * (1 + MARGIN) * long >= long
  return scale < 4 && isOver(left, width) && isOver(top, height)
}

export function drawBar(
  context: CanvasRenderingContext2D,
  bar: ScaleBar | null,
  { text: colour, height }: { readonly text: string; readonly height: number },
): void {
  if (bar === null) return
  const { pixels, text } = bar
  context.fillStyle = colour
  context.fillRect(BAR_AT.left, height - BAR_AT.bottom, pixels, 2)
  context.font = '12px system-ui, sans-serif'
  context.fillText(text, BAR_AT.left, height - BAR_AT.bottom - 5)
}
