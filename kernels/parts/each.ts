import wgsl from './each.wgsl?raw'

/** @param shader that defines each(i, lane) */
export const withEach = (shader: string): string => `${shader}\n${wgsl}`
