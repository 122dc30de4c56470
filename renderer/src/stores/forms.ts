import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { FieldEntry } from '../base/FormFields.vue'

export type Texts = Readonly<Record<string, string>>

/** A few questions in a dialog. */
interface AskedForm {
  readonly title: string
  readonly explanation?: string
  /** The text of the button. */
  readonly act: string
  /** Asked only before files vanish for good; everything else can be undone. */
  readonly isBad?: boolean
  readonly fields?: readonly FieldEntry[]
  readonly texts?: Texts
  readonly fits?: (texts: Texts) => boolean
  /** What it throws is shown in the dialog, which stays. */
  readonly submit: (texts: Texts) => unknown
}

export const useForms = defineStore('forms', () => {
  const asked = shallowRef<AskedForm | null>(null)
  const texts = ref<Texts>({})

  function ask(form: AskedForm): void {
    asked.value = form
    texts.value = form.texts ?? {}
  }

  /** A question belongs to the page that it was asked on. */
  const drop = (): unknown => (asked.value = null)

  return { asked, texts, ask, drop }
})
