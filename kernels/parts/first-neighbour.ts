import wgsl from './first-neighbour.wgsl?raw'

/** @param shader that defines isWanted(u, key) */
export const withFirstNeighbour = (shader: string): string => `${shader}\n${wgsl}`
