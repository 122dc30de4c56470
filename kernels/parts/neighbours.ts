import wgsl from './neighbours.wgsl?raw'

/** @param shader that defines rowOf(i) and look(u, v) */
export const withNeighbours = (shader: string): string => `${shader}\n${wgsl}`
