import type { LucideIcon } from '@lucide/vue'
import { onScopeDispose, shallowRef, toValue } from 'vue'
import type { MaybeRefOrGetter } from 'vue'
import { holdsWords } from '../base/names.ts'

export interface Command {
  readonly id: string
  readonly label: string
  readonly icon?: LucideIcon | undefined
  /** "Ctrl+I", or a sequence with blanks: "g l". */
  readonly keys?: string | undefined
  readonly act: () => void
}

const sources = shallowRef<readonly MaybeRefOrGetter<readonly Command[]>[]>([])

/** Offers commands for as long as the calling component lives. */
export function useCommands(commands: MaybeRefOrGetter<readonly Command[]>): void {
  sources.value = [...sources.value, commands]
  onScopeDispose(() => (sources.value = sources.value.filter((source) => source !== commands)))
}

/** All that is offered now; the page's own first. */
export function offeredCommands(): readonly Command[] {
  return sources.value.toReversed().flatMap((source) => [...toValue(source)])
}

/** Commands whose label holds every typed word; those that begin a word of the label with the first one come first. */
export function rankCommands(commands: readonly Command[], typed: string): readonly Command[] {
  const first = typed.trim().toLocaleLowerCase().split(/\s+/)[0] ?? ''
  const begins = ({ label }: Command): boolean =>
    label
      .toLocaleLowerCase()
      .split(/[\s/-]+/)
      .some((word) => word.startsWith(first))
  const found = commands.filter(({ label }) => holdsWords(label, typed))
  return [...found.filter(begins), ...found.filter((one) => !begins(one))]
}
