import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Where the code of a thread lies: `name`.js beside the running bundle, or one folder up from a chunk of it; else the source, likewise.
 * @param here folder of the module that starts the thread
 */
export function threadEntry(name: string, here: string): string {
  const places = ['js', 'ts'].flatMap((type) => [join(here, `${name}.${type}`), join(here, '..', `${name}.${type}`)])
  return places.find((path) => existsSync(path)) ?? join(here, `${name}.ts`)
}
