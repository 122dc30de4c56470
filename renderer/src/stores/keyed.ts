import { computed, shallowRef } from 'vue'

/** Things by their keys; a change makes another map, so that all that is drawn from it follows. */
export function useKeyed<K, T>(keyOf: (thing: T) => K) {
  const byId = shallowRef<ReadonlyMap<K, T>>(new Map())
  const keyed = (things: readonly T[]): [K, T][] => things.map((thing) => [keyOf(thing), thing])
  return {
    byId,
    all: computed(() => [...byId.value.values()]),
    replace: (things: readonly T[]): void => void (byId.value = new Map(keyed(things))),
    put: (...changed: readonly T[]): void => void (byId.value = new Map([...byId.value, ...keyed(changed)])),
    drop: (isGone: (thing: T) => boolean): void =>
      void (byId.value = new Map([...byId.value].filter(([, thing]) => !isGone(thing)))),
  }
}
