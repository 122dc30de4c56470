import type { FailureValue, Fix } from '../../workers/base/failure.ts'

export { failureSchema } from '../../workers/contract/schema.ts'

/** @param words of a fix: a clause without a capital */
export function remedyText({ remedy, fixes = [] }: FailureValue, words: (fix: Fix) => string): string {
  const clauses = fixes.map(words)
  if (clauses.length === 0) return remedy
  const isMore = fixes[0]!.action === 'repeat' || fixes[0]!.action === 'resume'
  const all = `${remedy === '' || isMore ? '' : 'or '}${clauses.join(', or ')}.`
  return `${remedy} ${capitalised(all)}`.trim()
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
