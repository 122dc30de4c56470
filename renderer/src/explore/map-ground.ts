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

export function pathOfLand(outlines: readonly Outline[]): Path2D {
  const path = new Path2D()
  for (const outline of outlines) {
    for (let i = 0; i < outline.length; i += 2)
      if (i === 0) path.moveTo(outline[0]!, outline[1]!)
      else path.lineTo(outline[i]!, outline[i + 1]!)
    path.closePath()
  }
  return path
}

/** A frame with as much beside it on each side as it has itself. */
export const surrounded = ({ left, top, width, height, ...scale }: MapFrame): MapFrame => ({
  ...scale,
  ...{ left: left + width, top: top + height, width: 3 * width, height: 3 * height },
})

/** How far a frame is from another of the same scale; null where they differ in more, or by more than a width or height. */
export function shiftFrom(from: MapFrame, to: MapFrame): readonly [across: number, down: number] | null {
  const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.abs(b)
  const isAlike =
    isSame(from.across, to.across) && isSame(from.down, to.down) && from.centre === to.centre && from.width === to.width
  const [across, down] = [to.left - from.left, to.top - from.top]
  const isNear = from.height === to.height && Math.abs(across) <= to.width && Math.abs(down) <= to.height
  return isAlike && isNear ? [across, down] : null
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
