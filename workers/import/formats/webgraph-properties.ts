import { existsSync, readFileSync, statSync } from 'node:fs'
import { asFailure, inputFailure } from '../../base/failure.ts'

const MAX_PROPERTIES_BYTES = 1 << 20

export type BitCode = 'gamma' | 'delta' | 'zeta' | 'unary'

/** What the .properties file of a BVGraph says about its bit stream. */
export interface WebGraphProperties {
  readonly vertices: number
  readonly arcs: number
  readonly windowSize: number
  /** Shortest run of successive neighbours that is stored as an interval; 0 where there are no intervals. */
  readonly minIntervalLength: number
  readonly zetaK: number
  readonly codes: {
    readonly outdegrees: BitCode
    readonly references: BitCode
    readonly blockCount: BitCode
    readonly blocks: BitCode
    readonly residuals: BitCode
  }
}

const partsOfFlags: Readonly<Record<string, keyof WebGraphProperties['codes']>> = {
  OUTDEGREES: 'outdegrees',
  REFERENCES: 'references',
  BLOCK_COUNT: 'blockCount',
  BLOCKS: 'blocks',
  RESIDUALS: 'residuals',
}
const bitCodes: Readonly<Record<string, BitCode>> = { GAMMA: 'gamma', DELTA: 'delta', ZETA: 'zeta', UNARY: 'unary' }

function propertiesPath(path: string): string {
  return `${path.replace(/\.graph$/i, '')}.properties`
}

/** Whether a .properties file that names a BVGraph lies beside a file. */
export function hasProperties(path: string): boolean {
  const beside = propertiesPath(path)
  if (beside === path || !existsSync(beside) || statSync(beside).size > MAX_PROPERTIES_BYTES) return false
  return /^\s*graphclass\s*[=:].*BVGraph/m.test(readFileSync(beside, 'latin1'))
}

/** @throws Failure (input) at file:line when the file is missing or a value cannot be. */
export function readProperties(path: string): WebGraphProperties {
  const beside = propertiesPath(path)
  const entries = parse(beside)
  const value = (key: string) => entries.get(key)?.value
  const fail = (key: string, what: string) =>
    inputFailure(
      entries.has(key) ? `${beside}:${entries.get(key)!.line}` : `${beside}:1`,
      what,
      'WebGraph writes this file with the graph; is it the right one?',
    )
  const whole = (key: string, fallback?: number): number => {
    const text = value(key) ?? (fallback === undefined ? undefined : String(fallback))
    if (text === undefined || !/^\d{1,15}$/.test(text))
      throw fail(key, `${key} is "${text ?? 'missing'}", no whole number`)
    return Number(text)
  }
  const graphClass = value('graphclass') ?? ''
  if (!graphClass.endsWith('BVGraph'))
    throw fail('graphclass', `the graph class is "${graphClass}", and only BVGraph is read`)
  const codes: Record<keyof WebGraphProperties['codes'], BitCode> = {
    outdegrees: 'gamma',
    references: 'unary',
    blockCount: 'gamma',
    blocks: 'gamma',
    residuals: 'zeta',
  }
  for (const flag of (value('compressionflags') ?? '').split('|').map((word) => word.trim())) {
    if (flag === '' || flag.startsWith('OFFSETS_')) continue
    const [, part, code] = /^([A-Z_]+)_(GAMMA|DELTA|ZETA|UNARY)$/.exec(flag) ?? []
    const key = part === undefined ? undefined : partsOfFlags[part]
    if (key === undefined || code === undefined)
      throw fail('compressionflags', `the compression flag "${flag}" is not one that is read here`)
    codes[key] = bitCodes[code]!
  }
  return {
    vertices: whole('nodes'),
    arcs: whole('arcs'),
    windowSize: whole('windowsize', 7),
    minIntervalLength: whole('minintervallength', 4),
    zetaK: whole('zetak', 3),
    codes,
  }
}

function parse(path: string): Map<string, { value: string; line: number }> {
  const entries = new Map<string, { value: string; line: number }>()
  let text: string
  try {
    if (statSync(path).size > MAX_PROPERTIES_BYTES)
      throw inputFailure(path, 'the .properties file is over 1 MiB', 'Is it the right one?')
    text = readFileSync(path, 'latin1')
  } catch (error) {
    throw asFailure(error, path)
  }
  text.split(/\r?\n/).forEach((line, index) => {
    const [, key, value] = /^\s*([^#!=:\s][^=:\s]*)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? []
    if (key !== undefined) entries.set(key.toLowerCase(), { value: value ?? '', line: index + 1 })
  })
  return entries
}
