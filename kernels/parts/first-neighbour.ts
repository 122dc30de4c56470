/** The part of a shader that defines isWanted(u, key). */
export { default as firstNeighbourPart } from './first-neighbour.wgsl?raw'
