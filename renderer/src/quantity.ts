/** Numbers for reading: exact up to a million, then three significant digits with a unit. The exact value goes on hover. */
import { byteSize as byteSizeOf, duration as durationOf } from '../../electron/contract/words.ts'

const grouped = new Intl.NumberFormat()
const oneDigit = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const threeDigits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3, minimumSignificantDigits: 3 })

/** What is rounded may reach the next unit: 999,999,999 are "1.00 G". */
const inThreeDigits = (value: number): number => Number(value.toPrecision(3))

export function quantity(count: number): string {
  if (count < 1e6) return grouped.format(count)
  const [unit, size] = inThreeDigits(count) < 1e9 ? ['M', 1e6] : ['G', 1e9]
  return `${threeDigits.format(count / size)} ${unit}`
}

export function exactly(count: number): string {
  return grouped.format(count)
}

/** One unit a column, but for what would be none of it: "11.3 MiB", "12 KiB". */
export const mebibytesOrLess = (bytes: number): string =>
  bytes < 1e5 ? byteSize(bytes) : `${oneDigit.format(bytes / 2 ** 20)} MiB`

export function percent(fraction: number): string {
  return `${oneDigit.format(fraction * 100)} %`
}

/** "99.9 %" of what is not over, however near it is. */
export const percentSoFar = (fraction: number): string => percent(fraction < 1 ? Math.min(fraction, 0.999) : fraction)

/** "93 %", of what is not over before it is. */
export const wholePercent = (fraction: number): string => `${Math.floor(100 * fraction)} %`

/** Never rounded up: "at least 94.1 %". */
export function atLeastPercent(fraction: number): string {
  return percent(Math.floor(fraction * 1000) / 1000)
}

const decimalPoint = oneDigit.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** "12 ms", "1.2 s", "3 min 20 s", as the command line has it. */
export const duration = (elapsedMs: number): string => durationOf(elapsedMs).replace('.', decimalPoint)

/** "12 KiB", "1.2 GiB", as the command line has it. */
export const byteSize = (bytes: number): string => byteSizeOf(bytes).replace('.', decimalPoint)

export const moment = (iso: string): string => shortMoment(iso)

/** "Dec 29", of a day that is near. */
export const dayOf = (iso: string): string => shortDay.format(new Date(iso))
const shortDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** Tells apart runs of one minute. */
export const momentWithSeconds = (iso: string): string => exactMoment(iso)

/** A format is made once, and its words of a moment: lists name hundreds of them, again and again. */
function formatOf(options: Intl.DateTimeFormatOptions): (iso: string) => string {
  const format = new Intl.DateTimeFormat(undefined, options)
  const known = new Map<string, string>()
  return (iso) => {
    const words = known.get(iso) ?? format.format(new Date(iso))
    known.set(iso, words)
    return words
  }
}
const minutes = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const
const shortMoment = formatOf(minutes)
const exactMoment = formatOf({ ...minutes, second: '2-digit' })
