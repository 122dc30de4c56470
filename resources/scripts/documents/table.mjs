// Cells and tables of Markdown.

/** @param rows lists of cells, texts @param right the numbers of columns that are aligned to the right */
export function tableOf(header, rows, right = []) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(header), line(header.map((_, at) => (right.includes(at) ? '---:' : '---'))), ...rows.map(line)].join(
    '\n',
  )
}
