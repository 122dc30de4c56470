import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { writeAside } from './output-file.ts'

const SEAL_DIGITS = 8

/** Stores JSON behind a line with its CRC-32. @throws Failure (storage) */
export function writeSealed(path: string, value: unknown): void {
  const text = `${JSON.stringify(value, null, 2)}\n`
  writeAside(path, [Buffer.from(`${sealOf(text)}\n${text}`)])
}

/** undefined where there is nothing, or not what was written. */
export function readSealed(path: string): unknown {
  try {
    const file = readFileSync(path, 'utf8')
    const text = file.slice(SEAL_DIGITS + 1)
    return file.startsWith(`${sealOf(text)}\n`) ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** Files of version 0.1 have no seal. */
export function readSealedOrOld(path: string): unknown {
  try {
    const text = readFileSync(path, 'utf8')
    return text.startsWith('{') ? JSON.parse(text) : readSealed(path)
  } catch {
    return undefined
  }
}

const sealOf = (text: string): string => crc32(text).toString(16).padStart(SEAL_DIGITS, '0')
