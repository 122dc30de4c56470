import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Whole or not there. @throws Error as the system says */
export function writeWhole(path: string, text: string): void {
  const aside = `${path}.partial-${process.pid}`
  try {
    writeFileSync(aside, text, { flush: true })
    renameSync(aside, path)
  } catch (error) {
    rmSync(aside, { force: true })
    throw error
  }
}
