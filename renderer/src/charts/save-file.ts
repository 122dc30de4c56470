/** Gives the person a file: the browser's own download, or the save dialog of the window. */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  // The download has its own reference by then; a page that saves a hundred charts must not keep them all.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** "undecided-per-round-cities", from any title. */
export function fileStem(title: string): string {
  const stem = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return stem === '' ? 'chart' : stem.slice(0, 80)
}
