import { en } from './en.ts'

/** All texts of the page. Another language is another object of this shape. */
export type Words = typeof en

export const languages = { en: { name: 'English', words: en } } as const satisfies Record<
  string,
  { readonly name: string; readonly words: Words }
>
export type Language = keyof typeof languages

const KEY = 'language'
const isLanguage = (tag: string | null): tag is Language => tag !== null && Object.hasOwn(languages, tag)

/** The chosen language, else the first of the browser's that there is, else English. */
function currentLanguage(): Language {
  const wanted = [localStorage.getItem(KEY), ...navigator.languages.map((tag) => tag.split('-')[0] ?? '')]
  return wanted.find(isLanguage) ?? 'en'
}

/** Takes effect when the page is loaded again: texts are read once. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(KEY, language)
}

export const words: Words = languages[currentLanguage()].words
