/**
 * The graph of groups of vertices, of a stored graph whose lists are read once, in file order, and not kept: what a map draws. Each list is summed by
 * the groups that it reaches first, of which there are few where groups are near each other; then each sum is added to the edge of both groups, found
 * by a hash of them. The arcs of a group come in the order in which `contractBy` (small-graph.ts) gives them, which has the graph in memory. Linear in
 * the arcs; memory for the edges between groups alone.
 */

import type { JobContext } from '../base/job.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { scanLists } from '../graph/scan-lists.ts'
import type { SmallGraph } from './small-graph.ts'

/** @param groups the group of each vertex, below `count`; others are left out @throws Failure (input) when the graph is damaged; (cancelled) */
export function contractLists(graph: GaloisGr, groups: Uint32Array, count: number, job: JobContext): SmallGraph {
  const sizes = new Uint32Array(count)
  for (const group of groups) if (group < count) sizes[group]!++
  const arcs = new GroupArcs(count)
  /** The groups that a list reaches, the arcs to each, and the place of each group among them. */
  const reached = new Uint32Array(count)
  const sums = new Uint32Array(count)
  const places = new Uint32Array(count)
  scanLists(graph, job, 'read', ({ first, offsets, targets }) => {
    for (let row = 0; row + 1 < offsets.length; row++) {
      const own = groups[first + row]!
      if (own >= count) continue
      const end = offsets[row + 1]!
      let found = 0
      for (let arc = offsets[row]!; arc < end; arc++) {
        const group = groups[targets[arc]!]!
        if (group === own || group >= count) continue
        const place = places[group]!
        if (place < found && reached[place] === group) sums[place]!++
        else {
          places[group] = found
          reached[found] = group
          sums[found++] = 1
        }
      }
      for (let i = 0; i < found; i++) arcs.add(own, reached[i]!, sums[i]!)
    }
  })
  return { ...arcs.lists(), sizes }
}

const FEWEST_PLACES = 1 << 12

/** Arcs from group to group, each with what was added to it, in the order in which they came. */
class GroupArcs {
  readonly #groups: number
  #count = 0
  #sources = new Uint32Array(FEWEST_PLACES / 2)
  #targets = new Uint32Array(FEWEST_PLACES / 2)
  #weights = new Float32Array(FEWEST_PLACES / 2)
  /** Places by the hash of both groups, half of them free; 1 + the arc, 0 for none. */
  #table = new Uint32Array(FEWEST_PLACES)

  constructor(groups: number) {
    this.#groups = groups
  }

  add(source: number, target: number, weight: number): void {
    const last = this.#table.length - 1
    let at = hashOf(source, target) & last
    for (let arc; (arc = this.#table[at]!) !== 0; at = (at + 1) & last) {
      if (this.#sources[arc - 1] !== source || this.#targets[arc - 1] !== target) continue
      this.#weights[arc - 1]! += weight
      return
    }
    if (this.#count === this.#sources.length) {
      this.#grow()
      return this.add(source, target, weight)
    }
    this.#sources[this.#count] = source
    this.#targets[this.#count] = target
    this.#weights[this.#count] = weight
    this.#table[at] = ++this.#count
  }

  /** The arcs by their sources. */
  lists(): Pick<SmallGraph, 'offsets' | 'targets' | 'weights'> {
    const offsets = new Uint32Array(this.#groups + 1)
    for (let arc = 0; arc < this.#count; arc++) offsets[this.#sources[arc]! + 1]!++
    for (let group = 0; group < this.#groups; group++) offsets[group + 1]! += offsets[group]!
    const next = offsets.slice(0, this.#groups)
    const targets = new Uint32Array(this.#count)
    const weights = new Float32Array(this.#count)
    for (let arc = 0; arc < this.#count; arc++) {
      const at = next[this.#sources[arc]!]!++
      targets[at] = this.#targets[arc]!
      weights[at] = this.#weights[arc]!
    }
    return { offsets, targets, weights }
  }

  #grow(): void {
    const room = 2 * this.#sources.length
    const [sources, targets, weights] = [this.#sources, this.#targets, this.#weights]
    this.#sources = new Uint32Array(room)
    this.#targets = new Uint32Array(room)
    this.#weights = new Float32Array(room)
    this.#sources.set(sources)
    this.#targets.set(targets)
    this.#weights.set(weights)
    this.#table = new Uint32Array(2 * room)
    const last = this.#table.length - 1
    for (let arc = 0; arc < this.#count; arc++) {
      let at = hashOf(sources[arc]!, targets[arc]!) & last
      while (this.#table[at] !== 0) at = (at + 1) & last
      this.#table[at] = arc + 1
    }
  }
}

function hashOf(source: number, target: number): number {
  const x = Math.imul(Math.imul(source, 0x9e3779b1) ^ target, 0x45d9f3b)
  return x ^ (x >>> 15)
}
