import type { CallArgs } from '../../../electron/contract/calls.ts'
import type { MenuItem } from '../base/BaseMenu.vue'
import { ask } from '../bridge.ts'
import { useToasts } from '../stores/toasts.ts'
import { words } from '../words/words.ts'

export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  follow(url, name)
  // The download has its own reference by then; a page that saves a hundred charts must not keep them all.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

function follow(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

export const svgAddress = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`

/** An SVG as dots, two a pixel. @throws Error where the browser cannot draw */
export async function pngOf(
  svg: string,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Blob> {
  const image = new Image()
  image.src = svgAddress(svg)
  await image.decode()
  const canvas = new OffscreenCanvas(2 * width, 2 * height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('this browser draws nothing')
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: 'image/png' })
}

export function fileStem(title: string): string {
  const stem = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return stem === '' ? 'chart' : stem.slice(0, 80)
}

type Request = CallArgs<'export.download'>['request']

/** Gives the person a result, a record or a graph: the window asks where to save it, a browser downloads it. */
async function takeOut(request: Request): Promise<void> {
  const answer = await ask('export.download', { request })
  if (answer.how === 'saved') for (const file of answer.files) useToasts().show(words.run.saved(file))
  if (answer.how !== 'download') return
  for (const { url, fileName } of answer.downloads) follow(url, fileName)
}

/** @param isTable which has a form without formulas, too */
export function downloads(label: string, request: Request, isTable = false): readonly MenuItem[] {
  const item = (name: string, more: object = {}): MenuItem => ({
    label: name,
    act: () => useToasts().attempt(() => takeOut({ ...request, ...more })),
  })
  return [item(label), ...(isTable ? [item(words.run.forSpreadsheets(label), { spreadsheetSafe: true })] : [])]
}
