import { computed, ref, watchEffect } from 'vue'
import { themes, type Settings } from '../../../electron/contract/settings.ts'

const KEY = 'theme'
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = ref(dark.matches)
dark.addEventListener('change', ({ matches }) => (systemIsDark.value = matches))

const choice = ref<Settings['theme']>(themes.find((name) => name === localStorage.getItem(KEY)) ?? 'system')
const shown = computed(() => (choice.value === 'system' ? (systemIsDark.value ? 'dark' : 'light') : choice.value))

// Kept in the page too, so that its first frame has the right colours before the settings are read.
watchEffect(() => {
  localStorage.setItem(KEY, choice.value)
  document.documentElement.dataset['theme'] = shown.value
})

export const theme = { shown }

export const chooseTheme = (name: Settings['theme']): unknown => (choice.value = name)
