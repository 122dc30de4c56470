import { words } from '../words/words.ts'

/** More stand one by one in a title, and on the page of the run. */
const MOST_NAMED = 2

/** Several devices in a few letters: "gpu:0, gpu:1", "4 GPUs", "8 on CPU", "5 devices" of both kinds. */
export function deviceWords(ids: readonly string[]): string {
  if (ids.length <= MOST_NAMED) return ids.join(', ')
  const { devices } = words
  const kinds = new Set(ids.map((id) => id.split(':')[0]))
  if (kinds.size > 1) return devices.several(ids.length)
  return kinds.has('gpu') ? devices.graphicsCards(ids.length) : devices.processorWorkers(ids.length)
}
