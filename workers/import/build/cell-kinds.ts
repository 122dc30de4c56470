import { isMissingWord, numberOfCell } from '../reader/numbers.ts'

/** No sign, no zeros in front, no digits that a number would lose: those are codes. */
const asNumber = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const isNumberCell = (cell: string): boolean =>
  asNumber.test(cell) && (!/^-?\d+$/.test(cell) || Number.isSafeInteger(Number(cell)))
/** Digits of a number that a float holds whatever they are. */
const SURE_DIGITS = 15
const [ZERO, MINUS, POINT] = [48, 45, 46]
/** 1,234 may be either. */
const isEither = /^-?[1-9]\d{0,2},\d{3}$/

/** What isNumberCell says of bytes [start, end) that are ASCII digits with a point at most; null for all others. */
function plainNumber(bytes: Uint8Array, start: number, end: number): 'whole' | 'decimal' | null {
  const first = bytes[start] === MINUS ? start + 1 : start
  if (end - first > SURE_DIGITS || end === first) return null
  if (bytes[first] === ZERO && first + 1 < end && bytes[first + 1] !== POINT) return null
  let points = 0
  for (let p = first; p < end; p++) {
    const digit = bytes[p]! - ZERO
    if (digit >= 0 && digit <= 9) continue
    if (bytes[p] !== POINT || ++points > 1 || end - first === 1) return null
  }
  return points === 0 ? 'whole' : 'decimal'
}

export const textIn = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()

/** What cells of a column of texts look like, all together; counts of parts of a column add up in any order. */
export class CellKinds {
  cells = 0
  numbers = 0
  /** All cells so far are numbers, or words for none: under a point, under a comma. */
  isPoint = true
  isComma = true
  isSurelyComma = false

  /** A cell of bytes [start, end). */
  see(bytes: Uint8Array, start: number, end: number): void {
    this.cells++
    // A text decides.
    if (!this.isPoint && !this.isComma) return
    const form = plainNumber(bytes, start, end)
    if (form === null) return this.#seeText(textIn(bytes, start, end))
    this.numbers++
    if (form === 'decimal') this.isComma = false
  }

  #seeText(text: string): void {
    if (isNumberCell(text)) {
      this.numbers++
      if (text.includes('.')) this.isComma = false
    } else if (!isMissingWord(text)) {
      this.isPoint = false
      this.isComma &&= text.includes(',') && !Number.isNaN(numberOfCell(text, 'comma'))
      if (this.isComma) this.numbers++
      this.isSurelyComma ||= this.isComma && !isEither.test(text)
    }
  }

  add({ cells, numbers, isPoint, isComma, isSurelyComma }: CellCounts): void {
    this.cells += cells
    this.numbers += numbers
    this.isPoint &&= isPoint
    this.isComma &&= isComma
    this.isSurelyComma ||= isSurelyComma
  }

  get areNumbers(): boolean {
    return this.numbers > 0 && (this.isPoint || (this.isComma && this.isSurelyComma))
  }
}

/** Those of {@link CellKinds}, as a thread sends them. */
export type CellCounts = Pick<CellKinds, 'cells' | 'numbers' | 'isPoint' | 'isComma' | 'isSurelyComma'>
