/** The part of a shader that defines rowOf(i) and look(u, v). */
export { default as neighboursPart } from './neighbours.wgsl?raw'
