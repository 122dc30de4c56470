const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Names as people order them: "g-9" before "g-10", whatever the case. */
export const byName = (a: string, b: string): number => collator.compare(a, b)

export function holdsWords(text: string, typed: string): boolean {
  const lower = text.toLocaleLowerCase()
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((part) => lower.includes(part))
}
