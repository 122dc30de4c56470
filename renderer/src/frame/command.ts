import type { LucideIcon } from '@lucide/vue'
import { onScopeDispose, shallowRef, toValue, type MaybeRefOrGetter } from 'vue'
import { listenTo } from '../base/scope.ts'
import type { MenuItem } from '../base/BaseMenu.vue'
import { holdsWords } from '../base/names.ts'

/** Its `keys`: "Ctrl+I", or a sequence with blanks: "g l". */
export interface Command extends MenuItem {
  readonly id: string
}

export const command = (
  id: string,
  label: string,
  icon: LucideIcon,
  act: () => unknown,
  more: Partial<MenuItem> = {},
): Command => ({ id, label, icon, act, ...more })

const sources = shallowRef<readonly MaybeRefOrGetter<readonly Command[]>[]>([])

export function useCommands(commands: MaybeRefOrGetter<readonly Command[]>): void {
  sources.value = [...sources.value, commands]
  onScopeDispose(() => (sources.value = sources.value.filter((source) => source !== commands)))
}

export function offeredCommands(): readonly Command[] {
  return sources.value.toReversed().flatMap((source) => toValue(source).filter(({ disabled }) => disabled !== true))
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

const SEQUENCE_MS = 900
const onMac = navigator.platform.startsWith('Mac')

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select'))
  )
}

/** "Ctrl+K", "?", "g": what a key press is called in `Command.keys`. Command counts as Ctrl on a Mac. */
function keyName(event: KeyboardEvent): string {
  const held = onMac ? event.metaKey : event.ctrlKey
  const key = event.key.length === 1 && held ? event.key.toUpperCase() : event.key
  return `${held ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${key}`
}

export function keysShown(keys: string): string {
  return onMac ? keys.replace('Ctrl+', '⌘') : keys
}

/** Listens for the keys of all offered commands, sequences too, except in text fields and behind open dialogs. */
export function listenForKeys(): void {
  let before = ''
  let beforeMs = 0

  function hear(event: KeyboardEvent): void {
    const name = keyName(event)
    const plain = !name.startsWith('Ctrl+') || name === 'Ctrl+Z'
    if (event.defaultPrevented || event.isComposing || (plain && (isTyping(event.target) || hasLayer()))) return
    const sequence = event.timeStamp - beforeMs < SEQUENCE_MS ? `${before} ${name}` : name
    const command = offeredCommands().find(({ keys }) => keys === sequence || keys === name)
    before = name
    beforeMs = event.timeStamp
    if (command === undefined) return
    event.preventDefault()
    before = ''
    command.act()
  }
  listenTo(window, 'keydown', hear)
}

const hasLayer = (): boolean => document.querySelector('[role=dialog], [role=menu]') !== null
