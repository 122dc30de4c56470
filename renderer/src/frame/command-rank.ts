import type { Command } from './command.ts'

/** Commands whose label holds every typed word; those that begin a word of the label with the first one come first. */
export function rankCommands(commands: readonly Command[], typed: string): readonly Command[] {
  const parts = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const [first] = parts
  if (first === undefined) return commands
  const found = commands
    .map((command) => ({ command, label: command.label.toLocaleLowerCase() }))
    .filter(({ label }) => parts.every((part) => label.includes(part)))
  const begins = ({ label }: { readonly label: string }): boolean =>
    label.split(/[\s/-]+/).some((word) => word.startsWith(first))
  return [...found.filter(begins), ...found.filter((one) => !begins(one))].map(({ command }) => command)
}
