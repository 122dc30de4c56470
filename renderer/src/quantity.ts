/** Numbers for reading: exact up to a million, then three significant digits with a unit. The exact value goes on hover. */
import { duration as durationOf } from '../../electron/contract/words.ts'

const grouped = new Intl.NumberFormat()
const oneDigit = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const threeDecimals = new Intl.NumberFormat(undefined, { minimumFractionDigits: 3, maximumFractionDigits: 3 })
const threeDigits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3, minimumSignificantDigits: 3 })

/** What is rounded may reach the next unit: 999,999 bytes are "1.00 MB". */
const inThreeDigits = (value: number): number => Number(value.toPrecision(3))

export function quantity(count: number): string {
  if (count < 1e6) return grouped.format(count)
  const [unit, size] = inThreeDigits(count) < 1e9 ? ['M', 1e6] : ['G', 1e9]
  return `${threeDigits.format(count / size)} ${unit}`
}

export function exactly(count: number): string {
  return grouped.format(count)
}

export function byteSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(inThreeDigits(bytes)) / 3))
  return `${step === 0 ? grouped.format(bytes) : threeDigits.format(bytes / 1000 ** step)} ${units[step] ?? ''}`
}

/** One unit a column, but for what would be none of it: "11.3 MB", "12.0 kB". */
export const megabytesOrLess = (bytes: number): string =>
  bytes < 1e5 ? byteSize(bytes) : `${oneDigit.format(bytes / 1e6)} MB`

export const seconds = (elapsedMs: number): string => `${threeDecimals.format(elapsedMs / 1000)} s`

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

export function moment(iso: string): string {
  return shortMoment.format(new Date(iso))
}

/** "Dec 29", of a day that is near. */
export const dayOf = (iso: string): string => shortDay.format(new Date(iso))
const shortDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** Tells apart runs of one minute. */
export const momentWithSeconds = (iso: string): string => exactMoment.format(new Date(iso))

/** Formats are made once: making one takes as long as a row takes to draw. */
const shortMoment = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const exactMoment = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
