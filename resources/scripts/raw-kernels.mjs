// Lets a script run the sources as they are: kernels import their WGSL with ?raw, which the build resolves and Node does not know.
//   import './raw-kernels.mjs', and the sources after it by await import(...)
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const MARK = '?raw'

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(MARK)) return nextLoad(url, context)
    const text = readFileSync(new URL(url.slice(0, -MARK.length)), 'utf8')
    return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(text)}` }
  },
})
