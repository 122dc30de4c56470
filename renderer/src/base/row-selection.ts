import { ref, type Ref } from 'vue'

/** More rows are not chosen one by one: they have the export of the whole. */
export const MOST_CHOSEN = 100_000

interface Rows {
  readonly count: () => number
  readonly keyAt: (row: number) => string | undefined
  readonly scrollTo: (row: number) => void
}

type Modifiers = Pick<KeyboardEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>

/** Which rows are chosen, by their keys, and which one the keyboard is on: -1 before there is one. */
export function useRowSelection({ count, keyAt, scrollTo }: Rows, chosen: Ref<ReadonlySet<string>>) {
  const at = ref(-1)
  let anchor = 0
  const clear = (): unknown => (chosen.value = new Set())

  function extend(row: number): void {
    const [first, last] = [Math.min(anchor, row), Math.max(anchor, row)]
    const length = Math.min(MOST_CHOSEN, last - first + 1)
    const keys = Array.from({ length }, (_, i) => keyAt(first + i))
    chosen.value = new Set(keys.filter((key) => key !== undefined))
  }

  function all(): void {
    anchor = 0
    extend(count() - 1)
  }

  function toggle(row: number): void {
    const key = keyAt(row)
    anchor = row
    if (key === undefined) return
    const next = new Set(chosen.value)
    if (!next.delete(key)) next.add(key)
    chosen.value = next
  }

  function moveTo(row: number, extends_ = false): void {
    at.value = Math.min(count() - 1, Math.max(0, row))
    if (extends_) extend(at.value)
    else anchor = at.value
    scrollTo(at.value)
  }

  function click({ shiftKey, ctrlKey, metaKey }: Modifiers, row: number): void {
    at.value = row
    if (shiftKey) extend(row)
    else if (ctrlKey || metaKey) toggle(row)
    else anchor = row
  }

  /** What a key does; undefined: nothing here. */
  function actOf(event: Modifiers & { readonly key: string }, rowsInSight: number): (() => unknown) | undefined {
    const { key, shiftKey, ctrlKey, metaKey } = event
    const page = Math.max(1, rowsInSight - 2)
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }
    const target = key === 'Home' ? 0 : key === 'End' ? count() - 1 : key in steps ? at.value + steps[key]! : null
    if (target !== null) return () => moveTo(target, shiftKey)
    if (ctrlKey || metaKey) return key.toLowerCase() === 'a' ? all : undefined
    return { ' ': () => toggle(at.value), Escape: clear }[key]
  }

  return { at, clear, all, toggle, moveTo, click, actOf }
}
