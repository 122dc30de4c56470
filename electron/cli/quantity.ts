export { duration } from '../contract/duration.ts'

/** In whole numbers: 138398 -> "138,398". `Intl` takes 15 ms for the first one. */
export const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Whole numbers exactly, others with three significant digits: "4,468", "27.9", "0.101". */
export function figure(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return count(Math.round(value))
  return String(Number(value.toPrecision(3)))
}

/** A 32-bit float in as few digits as tell it from all others: 0.0010000000474974513 -> "0.001". */
export function float32(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === Math.fround(value)) return String(short)
  }
  return String(value)
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** Bytes in binary units with three significant digits: "0 B", "11.2 MiB", "139 GiB". */
export function bytes(value: number): string {
  let scaled = value
  let unit = 0
  while (scaled >= 999.5 && unit < byteUnits.length - 1) {
    scaled /= 1024
    unit++
  }
  return `${unit === 0 ? scaled : Number(scaled.toPrecision(3))} ${byteUnits[unit]}`
}

/** A share between 0 and 1 in percent with three significant digits: "38.2 %". */
export const share = (value: number): string => `${Number((100 * value).toPrecision(3))} %`

/**
 * A lower bound in percent, rounded down so that it never says more than is proved: 0.99996 -> "99.9 %".
 */
export const shareAtLeast = (value: number): string => `${(Math.floor(1000 * value + 1e-9) / 10).toFixed(1)} %`
