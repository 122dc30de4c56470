export { default as statesPart } from './vertex-states.wgsl?raw'

export const OUT = 0
export const IN = 255

export const stateBytes = (states: Uint32Array): Uint8Array =>
  new Uint8Array(states.buffer, states.byteOffset, states.byteLength)
