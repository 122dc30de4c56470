import { ref } from 'vue'
import type { Ref } from 'vue'

interface RowSelectionOptions {
  /** Keys of the rows in the order in which they are shown. */
  readonly keys: () => readonly string[]
  readonly selected: Ref<ReadonlySet<string>>
}

export interface RowSelection {
  /** The row that the keyboard is on; -1 before there is one. */
  readonly at: Ref<number>
  toggle(index: number): void
  /** From the row where the selection began to this one. */
  extend(index: number): void
  all(): void
  none(): void
}

/** Which rows are selected, as desktop lists do it: Space and Ctrl+click toggle, Shift extends. */
export function useRowSelection({ keys, selected }: RowSelectionOptions): RowSelection {
  const at = ref(-1)
  let anchor = 0

  function toggle(index: number): void {
    const key = keys()[index]
    if (key === undefined) return
    const next = new Set(selected.value)
    if (!next.delete(key)) next.add(key)
    selected.value = next
    anchor = index
  }

  function extend(index: number): void {
    const [from, to] = anchor < index ? [anchor, index] : [index, anchor]
    selected.value = new Set(keys().slice(from, to + 1))
  }

  return {
    at,
    toggle,
    extend,
    all: () => (selected.value = new Set(keys())),
    none: () => (selected.value = new Set()),
  }
}
