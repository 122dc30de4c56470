import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it that are missing. Node's own `recursive` never returns below /proc, where a folder can be there
 * and yet take no other.
 * @param mode of those that are made, whatever the mask of this process is; absent: as that says
 * @throws Error as the system says
 */
export function makeFolders(path: string, mode?: number): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  const parent = dirname(path)
  if (parent !== path) makeFolders(parent, mode)
  try {
    mkdirSync(path)
    if (mode !== undefined) chmodSync(path, mode)
  } catch (error) {
    const found = statSync(path, { throwIfNoEntry: false })
    // Someone else was faster.
    if (found?.isDirectory() === true) return
    throw found === undefined
      ? error
      : Object.assign(new Error(`ENOTDIR: not a directory, ${path}`), { code: 'ENOTDIR' })
  }
}

/** As much of a name as has at most so many bytes, of whole characters: its end, with the extension, or its beginning. File systems take 255. */
export function shortened(name: string, bytes: number, keep: 'end' | 'beginning' = 'end'): string {
  const characters = [...name]
  for (let left = Buffer.byteLength(name); left > bytes;)
    left -= Buffer.byteLength((keep === 'end' ? characters.shift() : characters.pop()) ?? '')
  return characters.join('')
}
