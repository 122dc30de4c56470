import { constants, kernel } from '../kernel.ts'
import { isMatched, counter } from './match-state.ts'
import wgsl from './match-collect.wgsl?raw'

const { ENTRIES, LACKING, TAKEN } = counter

/** @param weighted whether weights of the file follow the neighbours */
export const matchCollect = (weighted: boolean) =>
  kernel(
    `match-collect${weighted ? '-weighted' : ''}`,
    [constants({ WEIGHTED: weighted ? 1 : 0, TAKEN, ENTRIES, LACKING }), wgsl],
    ['first', 'count', 'origin', 'weightsAt', 'placesAt', 'waitingAt', 'room', 'isEntered'],
    {
      ends: 'write',
      targets: 'read',
      weightBits: 'read',
      matched: 'read',
      free: 'write',
      entries: 'write',
      counters: 'atomic',
    },
    (params, { ends, targets, weightBits, matched, free, entries, counters }) => {
      const { first, count, origin, weightsAt, placesAt, room } = params
      const waiting = matched.subarray(params.waitingAt)
      for (let v = first; v < first + count; v++) {
        if (!isMatched(waiting, v)) continue
        const begin = v === 0 ? 0 : ends[v - 1]!
        const length = (ends[v]! - begin) >>> 0
        const found: number[] = []
        for (let k = 0; k < length; k++) if (!isMatched(matched, targets[((begin - origin) >>> 0) + k]!)) found.push(k)
        const words = 1 + found.length * (weighted ? 2 : 1)
        if (counters[TAKEN]! + words > room) {
          ends[placesAt + v] = 0
          counters[LACKING]!++
          continue
        }
        const place = counters[TAKEN]! + 1
        counters[TAKEN]! += words
        ends[placesAt + v] = place
        free[place - 1] = found.length
        for (const [slot, k] of found.entries()) {
          free[place + slot] = targets[((begin - origin) >>> 0) + k]!
          if (weighted) free[place + found.length + slot] = weightBits[((begin - weightsAt) >>> 0) + k]!
        }
        if (params.isEntered === 1) entries.set([v, place], 2 * counters[ENTRIES]!++)
      }
    },
  )
