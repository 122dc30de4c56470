import wgsl from './tiles.wgsl?raw'

/** A shader of phase 2 with what it shares with the others; see tiles.wgsl. WGSL reads declarations in any order, but a shader's own features first. */
export const withTiles = (shader: string): string => `${shader}\n${wgsl}`
