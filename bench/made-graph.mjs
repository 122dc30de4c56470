// A graph in the library of a place: generated, made by its definition, sampled, or imported from a file.
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatorWords } from './graphs.mjs'
import { hardGraph, isHardGraph } from './hard-graphs.mjs'

/** A hard graph as a METIS file, which has the vertices without edges, too; made once for all places. */
export function metisFile(folder, name) {
  const file = join(folder, `${name}.graph`)
  if (existsSync(file)) return file
  const { vertices, edges, weights } = hardGraph(name)
  const lists = Array.from({ length: vertices }, () => [])
  for (const [u, v] of edges) {
    lists[u].push(v + 1)
    lists[v].push(u + 1)
  }
  if (weights !== undefined) for (const [v, list] of lists.entries()) list.unshift(weights[v])
  const head = `${vertices} ${edges.length}${weights === undefined ? '' : ' 10'}`
  writeFileSync(`${file}.part`, [head, ...lists.map((list) => list.join(' ')), ''].join('\n'))
  renameSync(`${file}.part`, file)
  return file
}

/** Makes a graph of bench/graphs.mjs, of bench/hard-graphs.mjs, or cities within some kilometres, such as cities-10km. */
export function makeGraph(pinned, { folder, down }, name) {
  const cities = /^cities-(\d+)km$/.exec(name)
  if (cities !== null) return pinned.dataset(name, ['sample', 'cities', '--radius-km', cities[1]])
  if (isHardGraph(name)) return pinned.dataset(name, ['import', metisFile(folder, name), '--format', 'metis'])
  return pinned.dataset(name, ['generate', ...generatorWords(name, down)])
}
