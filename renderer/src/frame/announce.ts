import { readonly, ref } from 'vue'

const polite = ref('')
const urgent = ref('')

/** Says something to a screen reader; the same words twice are said twice. */
export function announce(text: string, now = false): void {
  const place = now ? urgent : polite
  place.value = place.value === text ? `${text}\u00a0` : text
}

export const announced = { polite: readonly(polite), urgent: readonly(urgent) }
