import type { LucideIcon } from '@lucide/vue'

/** An entry of a menu, of a table's context menu alike; `line` draws a line above it. */
export interface MenuItem {
  readonly label: string
  readonly icon?: LucideIcon | undefined
  readonly keys?: string | undefined
  readonly disabled?: boolean | undefined
  readonly bad?: boolean | undefined
  readonly line?: boolean | undefined
  /** Of a choice that is on or off: the menu stays open for others. */
  readonly checked?: boolean | undefined
  readonly act: () => void
}
