import { shallowRef } from 'vue'

/** What the page keeps between visits; what is not readable is as if it were not there. */
export function useStored<T extends object>(place: string, none: T) {
  const value = shallowRef(none)
  try {
    value.value = (JSON.parse(localStorage.getItem(place) ?? 'null') as T | null) ?? none
  } catch {
    // As above.
  }
  function put(next: T): void {
    value.value = next
    localStorage.setItem(place, JSON.stringify(next))
  }
  return { value, put }
}
