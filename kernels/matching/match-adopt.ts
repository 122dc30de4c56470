import { constants, kernel } from '../kernel.ts'
import { counter } from './match-state.ts'
import wgsl from './match-adopt.wgsl?raw'

const { LACKING } = counter

/** @param weighted as in match-collect */
export const matchAdopt = (weighted: boolean) =>
  kernel(
    `match-adopt${weighted ? '-weighted' : ''}`,
    [constants({ WEIGHTED: weighted ? 1 : 0, LACKING }), wgsl],
    ['count', 'base', 'limit', 'placesAt'],
    { entries: 'read', free: 'read', ends: 'write', counters: 'atomic' },
    ({ count, base, limit, placesAt }, { entries, free, ends, counters }) => {
      for (let i = 0; i < count; i++) {
        const place = base + entries[2 * i + 1]!
        const fits = place <= limit && free[place - 1]! <= Math.floor((limit - place) / (weighted ? 2 : 1))
        ends[placesAt + entries[2 * i]!] = fits ? place : 0
        if (!fits) counters[LACKING]!++
      }
    },
  )
