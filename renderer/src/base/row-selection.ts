import { ref, watch, type Ref } from 'vue'

export interface RowSelection {
  readonly at: Ref<number>
  readonly chosen: Readonly<Ref<ReadonlySet<number>>>
  click(event: { readonly shiftKey: boolean; readonly ctrlKey: boolean; readonly metaKey: boolean }, row: number): void
  key(event: KeyboardEvent, rowsInSight: number): boolean
  clear(): void
}

/** More rows are not chosen one by one: they have the export of the whole. */
export const MOST_CHOSEN = 100_000

export function useRowSelection(count: () => number, scrollTo: (row: number) => void): RowSelection {
  const at = ref(-1)
  const chosen = ref<ReadonlySet<number>>(new Set())
  let anchor = 0
  const clear = (): unknown => (chosen.value = new Set())
  watch(count, () => {
    clear()
    at.value = -1
  })

  function extend(row: number): void {
    const [first, last] = [Math.min(anchor, row), Math.max(anchor, row)]
    const length = Math.min(MOST_CHOSEN, last - first + 1)
    chosen.value = new Set(Array.from({ length }, (_, i) => first + i))
  }

  function toggle(row: number): void {
    const next = new Set(chosen.value)
    if (!next.delete(row)) next.add(row)
    chosen.value = next
    anchor = row
  }

  function only(row: number): void {
    chosen.value = new Set([row])
    anchor = row
  }

  function moveTo(row: number, extends_: boolean): void {
    at.value = Math.min(count() - 1, Math.max(0, row))
    if (extends_) extend(at.value)
    else only(at.value)
    scrollTo(at.value)
  }

  return {
    at,
    chosen,
    clear,
    click(event, row) {
      at.value = row
      if (event.shiftKey) extend(row)
      else if (event.ctrlKey || event.metaKey) toggle(row)
      else only(row)
    },
    key(event, rowsInSight) {
      const { key, shiftKey } = event
      const row = targetOf(key, { at: at.value, last: count() - 1, page: Math.max(1, rowsInSight - 2) })
      if (row !== null) moveTo(row, shiftKey)
      else if (key === ' ') toggle(Math.max(0, at.value))
      else if (key === 'Escape') clear()
      else if (isSelectAll(event)) {
        anchor = 0
        extend(count() - 1)
      } else return false
      return true
    },
  }
}

const isSelectAll = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'a' && (ctrlKey || metaKey)

function targetOf(
  key: string,
  from: { readonly at: number; readonly last: number; readonly page: number },
): number | null {
  const { at, last, page } = from
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: last,
  }
  return targets[key] ?? null
}
