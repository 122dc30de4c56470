/** RFC 4180: a field with a comma, a quote or a line break is quoted, quotes are doubled. */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
