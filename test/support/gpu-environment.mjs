// Gives `vitest` the adapter's environment when it is started by hand; `npm test` has set it already. Either way processes look for what a GPU
// has done as dawn-turns.mjs says.
import { prepareAdapter } from './software-adapter.mjs'

export function setup() {
  if (process.env.ANTICLIQUE_GPU_TESTS === undefined) Object.assign(process.env, prepareAdapter().environment)
  const turns = `--import=${new URL('dawn-turns.mjs', import.meta.url).href}`
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, turns].filter(Boolean).join(' ')
}
