import { Failure } from '../../base/failure.ts'

/**
 * RFC 4180: a field with a comma, a quote or a line break is quoted, quotes are doubled.
 * @param spreadsheetSafe an apostrophe goes before what a spreadsheet would take for a formula (OWASP, "CSV Injection")
 */
export function csvField(text: string, spreadsheetSafe = false): string {
  const cell = spreadsheetSafe ? inert(text) : text
  return /[",\r\n]/.test(cell) ? quoted(cell) : cell
}

/** The same, always in quotes. */
export function quotedField(text: string, spreadsheetSafe = false): string {
  return quoted(spreadsheetSafe ? inert(text) : text)
}

/** @throws Failure (usage) where a file without cells is to be made safe */
export function requireCells(format: string, spreadsheetSafe: boolean | undefined): void {
  if (spreadsheetSafe !== true || format === 'csv' || format === 'aggregate') return
  throw new Failure({
    code: 'usage',
    what: `${format} is nothing that a spreadsheet opens`,
    remedy: '',
    fixes: [
      { action: 'set', option: 'format', to: 'csv' },
      { action: 'omit', option: 'spreadsheetSafe' },
    ],
  })
}

const inert = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
