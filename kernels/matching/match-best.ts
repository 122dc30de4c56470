import { constants, kernel } from '../kernel.ts'
import { type EdgeRule, edgeOrderParams, withEdgeOrder } from '../parts/edge-order.ts'
import { BestNeighbours, bestBuffers, withBest } from '../parts/best-neighbours.ts'
import { isMatched, keptWords, counter, cursor, roundCounter } from './match-state.ts'
import wgsl from './match-best.wgsl?raw'

const { ARCS } = counter
const { DEFERRED } = cursor
const { AGAIN, LONG, LONGEST } = roundCounter

export const matchBest = (candidates: number, rule: EdgeRule, collected = false) =>
  kernel(
    `match-best-${candidates}-${rule.weights}-${rule.ties}${collected ? '-collected' : ''}`,
    [constants({ ARCS, AGAIN, LONG, LONGEST, DEFERRED }), withBest(withEdgeOrder(wgsl, rule), candidates, collected)],
    [
      'first',
      'count',
      'origin',
      'weightsAt',
      'isListed',
      'allFree',
      'keptFirst',
      'longer',
      'longest',
      'counts',
      ...edgeOrderParams,
    ],
    { ...bestBuffers, list: 'read', longs: 'write', counters: 'atomic' },
    (params, { matched, kept, list, counters, ...lists }) => {
      const { first, origin, weightsAt, isListed, allFree, keptFirst } = params
      const { ends } = lists
      const best = new BestNeighbours({ ...params, ...rule }, candidates)
      const count = isListed === 1 ? counters[params.counts + AGAIN]! : params.count
      for (let i = 0; i < count; i++) {
        const v = isListed === 1 ? list[i]! : first + i
        if ((v - first) >>> 0 >= params.count) continue
        if (allFree === 0 && isMatched(matched, v)) continue
        const begin = collected ? ends[origin + v]! : v === 0 ? 0 : ends[v - 1]!
        if (collected && begin === 0) {
          kept[keptWords(candidates) * v]! |= DEFERRED
          continue
        }
        const length = collected ? lists.targets[begin - 1]! : (ends[v]! - begin) >>> 0
        if (allFree === 0) counters[ARCS]! += length
        best.forget()
        const free = allFree === 1 ? undefined : matched
        const [start, weights] = collected ? [begin, begin + length] : [begin - origin, begin - weightsAt]
        best.look(v, lists, start >>> 0, length, weights >>> 0, free)
        best.store(v - keptFirst, kept)
      }
    },
  )
