// Lets plain Node import shaders as text (`?raw`), as the build does: threads that a test starts run the sources.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const SUFFIX = '?raw'

registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.endsWith(SUFFIX)) return next(specifier, context)
    return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
  },
  load(url, context, next) {
    if (!url.endsWith(SUFFIX)) return next(url, context)
    const text = readFileSync(new URL(url.slice(0, -SUFFIX.length)), 'utf8')
    return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(text)}` }
  },
})
