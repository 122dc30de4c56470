import { defineStore } from 'pinia'
import { shallowRef, readonly, ref } from 'vue'
import { failureOf } from '../bridge.ts'
import { failureSentence } from '../failure-words.ts'
import { words } from '../words/words.ts'
import { useAlgorithms } from './algorithms.ts'

const polite = ref('')
const urgent = ref('')

/** Says something to a screen reader; the same words twice are said twice. */
export function announce(text: string, now = false): void {
  const place = now ? urgent : polite
  place.value = place.value === text ? `${text}\u00a0` : text
}

export const announced = { polite: readonly(polite), urgent: readonly(urgent) }

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'bad'
  readonly action: { readonly label: string; readonly act: () => void } | null
  /** It only tells, and goes when there are newer ones. */
  readonly passes: boolean
}

/** The most toasts that only tell, such as the ends of a series of runs: the newest are enough. */
const MOST_PASSING = 3

export const useToasts = defineStore('toasts', () => {
  const list = shallowRef<readonly Toast[]>([])
  const algorithms = useAlgorithms()
  let last = 0

  function show(text: string, more: Partial<Pick<Toast, 'tone' | 'action' | 'passes'>> = {}): number {
    last++
    const toast: Toast = { id: last, text, tone: 'plain', action: null, passes: more.tone !== 'bad', ...more }
    const passing = [...list.value, toast].filter(({ passes }) => passes)
    const old = new Set(passing.slice(0, -MOST_PASSING))
    list.value = [...list.value, toast].filter((one) => !old.has(one))
    announce(text, more.tone === 'bad')
    return last
  }

  function close(id: number): void {
    list.value = list.value.filter((toast) => toast.id !== id)
  }

  /** What can be taken back, by the button of its message or by Ctrl+Z. */
  const undos = shallowRef<readonly (() => void)[]>([])

  function undoable(text: string, undo: () => Promise<void>): void {
    const act = (): void => {
      if (!undos.value.includes(act)) return
      undos.value = undos.value.filter((one) => one !== act)
      close(toast)
      void attempt(undo)
    }
    undos.value = [...undos.value, act]
    const toast = show(text, { action: { label: words.frame.undo, act }, passes: false })
  }

  /** Does something that may fail; a failure is told, and null is the result. */
  async function attempt<T>(act: () => Promise<T>): Promise<T | null> {
    try {
      return await act()
    } catch (error) {
      show(failureSentence(failureOf(error), algorithms.list), { tone: 'bad' })
      return null
    }
  }

  /** To the clipboard; `said` once it is there. */
  const copy = (text: string, said: string = words.base.copied): Promise<void | null> =>
    attempt(async () => {
      await navigator.clipboard.writeText(text)
      show(said)
    })

  return { list, undos, show, close, undoable, attempt, copy }
})
