const compact = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })

/** Figures on an axis: "250", "1.5 k", "67 M", "10 G". */
export function tick(value: number): string {
  const size = Math.abs(value)
  if (size < 1e4) return compact.format(value)
  const [unit, power] = size < 1e6 ? ['k', 1e3] : size < 1e9 ? ['M', 1e6] : size < 1e12 ? ['G', 1e9] : ['T', 1e12]
  return `${compact.format(value / power)} ${unit}`
}

/** Milliseconds on an axis: "0.5 ms", "20 s", "5 min", "2.5 h". */
export function tickOfTime(elapsedMs: number): string {
  if (elapsedMs < 1000) return `${compact.format(elapsedMs)} ms`
  if (elapsedMs < 120_000) return `${compact.format(elapsedMs / 1000)} s`
  if (elapsedMs < 7_200_000) return `${compact.format(elapsedMs / 60_000)} min`
  return `${compact.format(elapsedMs / 3_600_000)} h`
}

/** Rates: "1.2 G/s". */
export function rate(perSecond: number, unit: string): string {
  const words = tick(perSecond)
  return /[a-zA-Z]$/.test(words) ? `${words}${unit}/s` : `${words} ${unit}/s`
}
