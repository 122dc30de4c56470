// A graph in the library of a place: generated, made by its definition, sampled, or imported from a file.
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatorWords } from './graphs.mjs'
import { hardGraph, isHardGraph } from './hard-graphs.mjs'

/** The edges of a hard graph as a file, made once for all places. */
function edgeFile(folder, name) {
  const file = join(folder, `${name}.txt`)
  if (existsSync(file)) return file
  const lines = hardGraph(name).edges.map((pair) => pair.join(' '))
  writeFileSync(`${file}.part`, lines.join('\n'))
  renameSync(`${file}.part`, file)
  return file
}

/** Makes a graph of bench/graphs.mjs, of bench/hard-graphs.mjs, or cities within some kilometres, such as cities-10km. */
export function makeGraph(pinned, { folder, down }, name) {
  const cities = /^cities-(\d+)km$/.exec(name)
  if (cities !== null) return pinned.dataset(name, ['sample', 'cities', '--radius-km', cities[1]])
  if (isHardGraph(name)) return pinned.dataset(name, ['import', edgeFile(folder, name), '--format', 'edge-list'])
  return pinned.dataset(name, ['generate', ...generatorWords(name, down)])
}
