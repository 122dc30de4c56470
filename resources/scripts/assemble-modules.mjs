// Assembles the WebAssembly of text imports: workers/ingest/lines/*.wat into modules.ts beside them.
// Needs binaryen, which is no dependency of the program: npm install --no-save binaryen@132
//   node resources/scripts/assemble-modules.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import binaryen from 'binaryen'

const folder = new URL('../../workers/ingest/lines/', import.meta.url)
const { Atomics, MultiMemory, BulkMemory, MutableGlobals } = binaryen.Features

function assembled(name) {
  const module = binaryen.parseText(readFileSync(new URL(`${name}.wat`, folder), 'utf8'))
  module.setFeatures(Atomics | MultiMemory | BulkMemory | MutableGlobals)
  if (!module.validate()) throw new Error(`${name}.wat is not valid`)
  binaryen.setOptimizeLevel(3)
  binaryen.setShrinkLevel(0)
  module.optimize()
  return Buffer.from(module.emitBinary()).toString('base64')
}

const constant = (name) =>
  `/** Assembled from ${name}.wat. */\nexport const ${name.replaceAll('-', '_').toUpperCase()} =\n  '${assembled(name)}'\n`
writeFileSync(
  new URL('modules.ts', folder),
  `// WebAssembly in base64, made by resources/scripts/assemble-modules.mjs: JavaScript has no 64-bit integers that stay in registers.\n\n${['line-buckets', 'bucket-sorter'].map(constant).join('\n')}`,
)
