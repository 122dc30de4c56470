// Gives `vitest` the adapter's environment when it is started by hand; `npm test` has set it already.
import { prepareAdapter } from './software-adapter.mjs'

export function setup() {
  if (process.env.ANTICLIQUE_GPU_TESTS === undefined) Object.assign(process.env, prepareAdapter().environment)
}
