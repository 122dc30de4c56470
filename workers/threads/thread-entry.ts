import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where the code of a thread is: `name`.js beside the running bundle, or one folder up from a chunk of it; else the source. */
export function threadEntry(name: string): string {
  const here = import.meta.dirname
  const places = [join(here, `${name}.js`), join(here, '..', `${name}.js`)]
  return places.find((path) => existsSync(path)) ?? join(here, '../engine', `${name}.ts`)
}
