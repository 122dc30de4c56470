import type { RowSelection } from './row-selection.ts'

interface Acts {
  readonly move: (index: number) => void
  readonly open: () => void
  readonly rename: () => void
  readonly remove: () => void
  readonly menu: () => void
}

interface Place {
  /** The row that the keyboard is on. */
  readonly at: number
  readonly last: number
  /** Rows that are in sight. */
  readonly page: number
}

/** What a key does in a table; false for a key that means nothing there. */
export function tableKey(event: KeyboardEvent, place: Place, selection: RowSelection, acts: Acts): boolean {
  const target = targetOf(event.key, place)
  if (target !== null) {
    acts.move(target)
    if (event.shiftKey) selection.extend(Math.min(place.last, Math.max(0, target)))
    return true
  }
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== 'a') return false
    selection.all()
    return true
  }
  const act = actOf(event, place, selection, acts)
  act?.()
  return act !== null
}

function targetOf(key: string, { at, last, page }: Place): number | null {
  switch (key) {
    case 'ArrowDown':
      return at + 1
    case 'ArrowUp':
      return at - 1
    case 'PageDown':
      return at + page
    case 'PageUp':
      return at - page
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}

function actOf(event: KeyboardEvent, { at }: Place, selection: RowSelection, acts: Acts): (() => void) | null {
  switch (event.key) {
    case ' ':
      return () => selection.toggle(at)
    case 'Enter':
      return acts.open
    case 'F2':
      return acts.rename
    case 'Delete':
      return acts.remove
    case 'Escape':
      return selection.none
    case 'ContextMenu':
      return acts.menu
    case 'F10':
      return event.shiftKey ? acts.menu : null
    default:
      return null
  }
}
