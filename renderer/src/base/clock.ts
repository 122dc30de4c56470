import { readonly, ref } from 'vue'

const EVERY_MS = 20_000
const time = ref(Date.now())
setInterval(() => (time.value = Date.now()), EVERY_MS)

/** The present in milliseconds, often enough for "5 minutes ago"; one clock for all. */
export const now = readonly(time)
