import type { CallArgs } from '../../../electron/contract/calls.ts'
import { ask } from '../bridge.ts'
import { useToasts } from '../stores/toasts.ts'
import { words } from '../words/words.ts'

export function saveFile(name: string, content: BlobPart, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  // The download has its own reference by then; a page that saves a hundred charts must not keep them all.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

export function fileStem(title: string): string {
  const stem = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return stem === '' ? 'chart' : stem.slice(0, 80)
}

/** Gives the person a result, a record or a graph: the window asks where to save it, a browser downloads it. */
export async function takeOut(request: CallArgs<'export.download'>['request']): Promise<void> {
  const answer = await ask('export.download', { request })
  if (answer.how === 'saved') for (const file of answer.files) useToasts().show(words.run.saved(file))
  if (answer.how !== 'download') return
  for (const { url, fileName } of answer.downloads) {
    const link = document.createElement('a')
    link.href = url
    link.download = fileName
    link.click()
  }
}
