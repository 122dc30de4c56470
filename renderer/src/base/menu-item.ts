import type { LucideIcon } from '@lucide/vue'

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
