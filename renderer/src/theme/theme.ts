import { computed, readonly, ref, watchEffect } from 'vue'

const themeChoices = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof themeChoices)[number]

const KEY = 'theme'
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = ref(dark.matches)
dark.addEventListener('change', ({ matches }) => (systemIsDark.value = matches))

const choice = ref<ThemeChoice>(themeChoices.find((name) => name === localStorage.getItem(KEY)) ?? 'system')
const shown = computed(() => (choice.value === 'system' ? (systemIsDark.value ? 'dark' : 'light') : choice.value))

// Kept in the page too, so that its first frame has the right colours before the settings are read.
watchEffect(() => {
  localStorage.setItem(KEY, choice.value)
  document.documentElement.dataset['theme'] = shown.value
})

export const theme = { choice: readonly(choice), shown }

export function chooseTheme(name: ThemeChoice): void {
  choice.value = name
}
