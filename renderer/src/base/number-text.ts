import { sizeUnits } from '../../../electron/contract/words.ts'
import { words } from '../words/words.ts'
import { exactly } from '../quantity.ts'

export type NumberKind = 'integer' | 'number' | 'bytes'

interface NumberBounds {
  readonly kind: NumberKind
  readonly min: number
  readonly max: number
}

interface ReadNumber {
  readonly value: number | null
  readonly problem: string | null
}

/** Reads a field: blanks and grouping commas or apostrophes do not matter; empty text is null. */
export function readNumber(text: string, { kind, min, max }: NumberBounds): ReadNumber {
  const plain = text.replace(/[\s_',]/g, '')
  if (plain === '') return { value: null, problem: null }
  const parts = /^(?<digits>[+-]?\d*\.?\d+(?:e[+-]?\d+)?)(?<unit>[a-z]*)$/i.exec(plain)?.groups
  const unit = sizeUnits[(parts?.['unit'] ?? '').toLowerCase()]
  if (parts === undefined || unit === undefined || (kind !== 'bytes' && parts['unit'] !== '')) {
    return { value: null, problem: kind === 'bytes' ? words.base.notASize : words.base.notANumber }
  }
  const value = kind === 'bytes' ? Math.round(Number(parts['digits']) * unit) : Number(parts['digits'])
  return { value, problem: faultOf(value, { kind, min, max }) }
}

function faultOf(value: number, { kind, min, max }: NumberBounds): string | null {
  if (kind === 'integer' && !Number.isInteger(value)) return words.base.notWhole
  if (value < min) return words.base.atLeast(writeNumber(min, kind) || exactly(min))
  if (value > max) return words.base.atMost(writeNumber(max, kind) || exactly(max))
  return null
}

/** How a field shows its value: sizes in the largest unit that leaves no fraction, a binary one before a decimal one. */
export function writeNumber(value: number | null, kind: NumberKind): string {
  if (value === null) return ''
  if (kind !== 'bytes') return kind === 'integer' ? exactly(value) : String(value)
  const [name, power] = ['TiB', 'GiB', 'MiB', 'KiB', 'TB', 'GB', 'MB', 'kB']
    .map((unit) => [unit, sizeUnits[unit.toLowerCase()] ?? 1] as const)
    .find(([, size]) => value >= size && value % size === 0) ?? ['', 1]
  return `${value / power}${name}`
}
