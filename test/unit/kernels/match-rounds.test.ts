import { expect, test } from 'vitest'
import { matchPair } from '../../../kernels/matching/match-pair.ts'
import { counted, matchPoint } from '../../../kernels/matching/match-point.ts'
import { MatchRounds } from '../../../kernels/matching/match-rounds.ts'
import { NONE, countsOf, counter, roundCounter } from '../../../kernels/matching/match-state.ts'
import { BestNeighbours } from '../../../kernels/parts/best-neighbours.ts'
import { type EdgeOrderParams, tieRules, edgeWeightRules } from '../../../kernels/parts/edge-order.ts'
import { randomStream } from '../../support/graphs.ts'

const STATES = 200
const COUNTS = countsOf(0)

interface State {
  readonly ends: Uint32Array
  readonly kept: Uint32Array
  readonly pointers: Uint32Array
  readonly matched: Uint32Array
  readonly next: Uint32Array
  readonly lists: Uint32Array
}

/** Vertices with lists that ascend, weights behind them, and a round later than the first. */
function stateOf(random: () => number, candidates: number): State {
  const below = (limit: number): number => Math.floor(limit * random())
  const vertices = 1 + below(90)
  const lists = Array.from({ length: vertices }, (_, v) =>
    Array.from({ length: vertices }, (_, u) => u).filter((u) => u !== v && below(vertices) < 12),
  )
  let end = 0
  const kept = lists.flatMap((list) => {
    const flags = below(candidates + 1) | (list.length > candidates ? 0x100 : 0) | (below(9) === 0 ? 0x200 : 0)
    return [flags, ...Array.from({ length: candidates }, (_, k) => list[k] ?? NONE)]
  })
  return {
    ends: Uint32Array.from(lists, (list) => (end += list.length)),
    kept: Uint32Array.from(kept),
    pointers: Uint32Array.from(lists, (list) => list[below(list.length + 1)] ?? NONE),
    matched: Uint32Array.from({ length: Math.ceil(vertices / 32) }, () => below(2 ** 32) & below(2 ** 32)),
    next: new Uint32Array(vertices),
    lists: Uint32Array.from([
      ...lists.flat(),
      ...lists.flat().map((u) => new Uint32Array(Float32Array.of(u % 5).buffer)[0]!),
    ]),
  }
}

function sharedCopy(state: State): State & { readonly memory: WebAssembly.Memory } {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
  let at = 0
  const copied = Object.entries<Uint32Array>({ ...state }).map(([name, words]) => {
    const copy = new Uint32Array(memory.buffer, at, words.length)
    copy.set(words)
    at += words.byteLength
    return [name, copy]
  })
  return { memory, ...(Object.fromEntries(copied) as State) }
}

/** The twin of the kernel, then a look at the lists of those whose candidates are all matched, then the twin for these. */
function pointed(
  state: State,
  order: EdgeOrderParams,
  candidates: number,
  list: Uint32Array | undefined,
  which: number,
) {
  const { ends, kept, pointers, matched, next, lists } = state
  const [counters, again] = [new Uint32Array(counter.COUNT), new Uint32Array(ends.length)]
  counters[0] = list?.length ?? 0
  const point = (of: Uint32Array, length: number, counts: number): void =>
    matchPoint(candidates).twin(
      { first: 0, count: ends.length, length, counts: COUNTS, counted: counts },
      { list: of, matched, kept, pointers, next, again, counters },
    )
  point(list ?? next, list === undefined ? NONE : 0, which)
  const looks = again.slice(0, counters[COUNTS + roundCounter.AGAIN])
  const best = new BestNeighbours(order, candidates)
  for (const v of looks) {
    const begin = ends[v - 1] ?? 0
    best.forget()
    best.look(
      v,
      { ends, targets: lists, weightBits: lists },
      begin,
      ends[v]! - begin,
      begin + lists.length / 2,
      matched,
    )
    best.store(v, kept)
    counters[counter.ARCS]! += ends[v]! - begin
  }
  counters[COUNTS + roundCounter.AGAIN] = looks.length
  point(looks, COUNTS + roundCounter.AGAIN, counted.none)
  return {
    pointing: counters[COUNTS + roundCounter.POINTING]!,
    opened: counters[COUNTS + roundCounter.OPEN]!,
    arcs: counters[counter.ARCS]!,
  }
}

test(`rounds in WebAssembly leave what the twins of the kernels do, from ${STATES} states`, () => {
  let looked = 0
  for (let number = 0; number < STATES; number++) {
    const random = randomStream(number)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    const candidates = pick([1, 2, 3, 4])
    const order = {
      weights: pick([edgeWeightRules.unit, edgeWeightRules.column, edgeWeightRules.random3]),
      ties: pick([tieRules.hash, tieRules.id]),
      ...{ seedLow: pick([0, 7]), seedHigh: pick([0, 1]), least: pick([0, 0, 500]) },
    }
    const which = pick([counted.none, counted.pointed, counted.pointing])
    const twin = stateOf(random, candidates)
    const shared = sharedCopy(twin)
    const listed = twin.ends.map((_, v) => v).filter(() => random() < 0.7)
    const isListed = pick([true, false])
    const list = new Uint32Array(shared.memory.buffer, 60_000, listed.length)
    list.set(listed)
    const expected = pointed(twin, order, candidates, isListed ? listed : undefined, which)
    const rounds = new MatchRounds(order, candidates, { ...shared, origin: 0, weightsAt: -shared.lists.length / 2 })
    const count = isListed ? listed.length : twin.ends.length
    const found = rounds.point(0, count, isListed ? list : undefined, shared.next, which)
    expect(found, `state ${number}`).toEqual(expected)
    for (const name of ['kept', 'pointers'] as const) expect(shared[name], `state ${number}`).toEqual(twin[name])
    const active = shared.next.slice(0, found.pointing)
    expect(active.toSorted()).toEqual(twin.next.slice(0, expected.pointing).toSorted())
    rounds.pair(shared.next, found.pointing)
    const counters = Uint32Array.of(expected.pointing)
    matchPair.twin({ count: 0, length: 0 }, { list: active, pointers: twin.pointers, matched: twin.matched, counters })
    expect(shared.matched, `state ${number}`).toEqual(twin.matched)
    looked += expected.arcs
  }
  expect(looked).toBeGreaterThan(1000)
})
