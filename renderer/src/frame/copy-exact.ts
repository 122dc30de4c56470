import { listenTo } from '../base/scope.ts'

function exactText(selection: Selection): string | null {
  if (selection.rangeCount === 0 || selection.isCollapsed) return null
  const range = selection.getRangeAt(0)
  const around = range.commonAncestorContainer
  const within = (around instanceof Element ? around : around.parentElement)?.closest('[data-exact]')
  const whole = within?.textContent?.trim() === selection.toString().trim()
  if (within instanceof HTMLElement && whole) return within.dataset['exact'] ?? null
  const copy = document.createElement('div')
  copy.append(range.cloneContents())
  const rounded = copy.querySelectorAll<HTMLElement>('[data-exact]')
  if (rounded.length === 0) return null
  for (const element of rounded) element.textContent = element.dataset['exact'] ?? ''
  for (const cell of copy.querySelectorAll('[role=gridcell], td, th')) cell.append('\t')
  for (const row of copy.querySelectorAll('[role=row], tr, p, div')) row.append('\n')
  return (copy.textContent ?? '').replace(/[\t ]*\n\s*/g, '\n').trim()
}

/** Numbers are rounded for reading and exact when they are copied. */
export function copyExactly(): void {
  listenTo(document, 'copy', (event) => {
    const selection = document.getSelection()
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
    const text = selection === null ? null : exactText(selection)
    if (text === null || event.clipboardData === null) return
    event.clipboardData.setData('text/plain', text)
    event.preventDefault()
  })
}
