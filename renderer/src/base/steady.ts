import { computed, type ComputedRef } from 'vue'

/** A small value of plain data that changes only where it says something else: what is made anew and says the same asks nothing again. */
export const steady = <T>(make: () => T): ComputedRef<T> =>
  computed((before?: T) => {
    const now = make()
    return JSON.stringify(now) === JSON.stringify(before) ? before! : now
  })
