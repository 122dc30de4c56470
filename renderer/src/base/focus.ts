import { onBeforeUnmount, type Ref } from 'vue'

/** The focus is on the page where what had it has gone: the next Tab leads to the page's first control, not to the first of all. */
export function keepFocus(): void {
  if (document.activeElement === document.body) document.getElementById('page')?.focus({ preventScroll: true })
}

/** What goes with the focus in it leaves it to the page, not to nothing. */
export function leaveFocusToPage(going: Readonly<Ref<HTMLElement | null>>): void {
  onBeforeUnmount(() => {
    if (going.value?.contains(document.activeElement)) document.getElementById('page')?.focus({ preventScroll: true })
  })
}
