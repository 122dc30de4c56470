import type { FailureValue, Fix } from '../../workers/base/failure.ts'

/** No unit ever reaches the next one. */
export function duration(ms: number): string {
  if (ms === 0) return '0 ms'
  if (ms < 9.95) return `${Number(ms.toPrecision(2))} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** Three digits, and a unit of which there is at least one: "11.3 MiB". */
export function byteSize(bytes: number): string {
  let scaled = bytes
  let unit = 0
  while (scaled >= 999.5 && unit < byteUnits.length - 1) {
    scaled /= 1024
    unit++
  }
  return `${unit === 0 ? scaled : Number(scaled.toPrecision(3))} ${byteUnits[unit]}`
}

/** Names of sizes in lower case; without one, bytes. */
export const sizeUnits: Readonly<Record<string, number>> = {
  ...{ '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 },
  ...{ kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40 },
}

/** @param words of a fix: a clause without a capital */
export function remedyText({ remedy, fixes = [] }: FailureValue, words: (fix: Fix) => string): string {
  const clauses = fixes.map(words)
  if (clauses.length === 0) return remedy
  const isMore = fixes[0]!.action === 'repeat' || fixes[0]!.action === 'resume'
  const all = `${remedy === '' || isMore ? '' : 'or '}${clauses.join(', or ')}.`
  return `${remedy} ${capitalised(all)}`.trim()
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
