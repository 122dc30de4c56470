/** Patterns over the colours, so that no chart depends on telling hues apart; the fields are those of ECharts' decals. */
export type Pattern = object

const ink = 'rgba(0, 0, 0, 0.38)'
const light = 'rgba(255, 255, 255, 0.62)'
const stripe = { symbol: 'rect', symbolSize: 1, dashArrayX: [1, 0] } as const

export const slanted: Pattern = { ...stripe, color: ink, dashArrayY: [2, 5], rotation: -Math.PI / 4 }
export const backslanted: Pattern = { ...stripe, color: light, dashArrayY: [2, 4], rotation: Math.PI / 4 }
const upright: Pattern = { ...stripe, color: ink, dashArrayY: [2, 4], rotation: Math.PI / 2 }
export const level: Pattern = { ...stripe, color: light, dashArrayY: [1, 4], rotation: 0 }
export const dotted: Pattern = {
  symbol: 'circle',
  symbolSize: 0.85,
  color: ink,
  dashArrayX: [
    [6, 6],
    [0, 6, 6, 0],
  ],
  dashArrayY: [6, 0],
  rotation: 0,
}
const chequered: Pattern = {
  ...dotted,
  symbol: 'rect',
  symbolSize: 1,
  color: light,
  dashArrayX: [
    [4, 4],
    [0, 4, 4, 0],
  ],
  dashArrayY: [4, 0],
}

const inOrder: readonly (Pattern | null)[] = [null, slanted, backslanted, dotted, upright, level, chequered]

export function patternOf(series: number): Pattern | null {
  return inOrder[series % inOrder.length] ?? null
}
