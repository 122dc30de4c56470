import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Frees what is not held any more. Shared memory is freed once all threads have let go of it, and one that waits would not look for it. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
