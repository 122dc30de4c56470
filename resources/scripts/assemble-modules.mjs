// Assembles WebAssembly: the *.wat of each folder below into modules.ts, or a file of another name, in it.
// Needs binaryen, which is no dependency of the program: npm install --no-save binaryen@132
//   node resources/scripts/assemble-modules.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import binaryen from 'binaryen'

const LACKS = 'JavaScript has neither vectors nor 64-bit integers that stay in registers'
const SHARED = 'threads share its code, where each compiles JavaScript for itself'
const modules = {
  'workers/import/build': {
    names: ['line-buckets', 'bucket-sorter', 'arc-check', 'row-pieces', 'row-columns'],
    reason: LACKS,
  },
  'workers/generate': { names: ['tuple-room'], reason: LACKS, file: 'tuple-module.ts' },
  // What is written once is wanted in line, eight times a loop.
  'workers/graph/packed': { names: ['unpack'], reason: LACKS, file: 'unpack-module.ts', inlineSize: 80 },
  'workers/verify': { names: ['matching-check', 'set-check'], reason: SHARED, file: 'check-modules.ts' },
  'kernels/parts': { names: ['best-scanner', 'word-hash'], reason: LACKS },
  'kernels/spin-glass': { names: ['lattice-spins'], reason: LACKS },
  'kernels/matching': { names: ['match-rounds'], reason: SHARED },
  'kernels/bfs': {
    names: ['bfs-adopt', 'bfs-arcs', 'bfs-bottom-up', 'bfs-none', 'bfs-pack', 'bfs-parents', 'bfs-top-down'],
    reason: SHARED,
  },
  'kernels/mis': { names: ['host-lists'], reason: SHARED },
}
const { Atomics, MultiMemory, BulkMemory, BulkMemoryOpt, MutableGlobals, NontrappingFPToInt, SIMD128 } =
  binaryen.Features

/** A line ";;+ file" stands for what is in that file. */
const textOf = (path) =>
  readFileSync(path, 'utf8').replace(/^ *;;\+ (.*)$/gm, (_, part) => readFileSync(new URL(part, path), 'utf8'))

/** @param inlineSize of functions that are put in the place of each call, in nodes of their code */
function assembled(path, inlineSize = 2) {
  const module = binaryen.parseText(textOf(path))
  module.setFeatures(Atomics | MultiMemory | BulkMemory | BulkMemoryOpt | MutableGlobals | NontrappingFPToInt | SIMD128)
  if (!module.validate()) throw new Error(`${path.pathname} is not valid`)
  binaryen.setOptimizeLevel(3)
  binaryen.setShrinkLevel(0)
  binaryen.setAlwaysInlineMaxSize(inlineSize)
  binaryen.setFlexibleInlineMaxSize(Math.max(20, inlineSize))
  module.optimize()
  return Buffer.from(module.emitBinary()).toString('base64')
}

for (const [place, { names, reason, file = 'modules.ts', inlineSize }] of Object.entries(modules)) {
  const folder = new URL(`../../${place}/`, import.meta.url)
  const constant = (name) =>
    `/** Assembled from ${name}.wat. */\nexport const ${basename(name).replaceAll('-', '_').toUpperCase()} =\n  '${assembled(new URL(`${name}.wat`, folder), inlineSize)}'\n`
  writeFileSync(
    new URL(file, folder),
    `// WebAssembly in base64, made by resources/scripts/assemble-modules.mjs: ${reason}.\n\n${names.map(constant).join('\n')}`,
  )
}
