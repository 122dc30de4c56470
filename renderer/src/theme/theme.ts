import { computed, ref, watchEffect } from 'vue'
import { themes, type Settings } from '../../../electron/contract/settings.ts'

const KEY = 'theme'
/** Help has no setting of its own, and reads this one (VitePress), where "auto" is the system's. */
const HELP_KEY = 'vitepress-theme-appearance'
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = ref(dark.matches)
dark.addEventListener('change', ({ matches }) => (systemIsDark.value = matches))

const choice = ref<Settings['theme']>(themes.find((name) => name === localStorage.getItem(KEY)) ?? 'system')
const shown = computed(() => (choice.value === 'system' ? (systemIsDark.value ? 'dark' : 'light') : choice.value))

// Kept in the page too, so that its first frame has the right colours before the settings are read.
watchEffect(() => {
  localStorage.setItem(KEY, choice.value)
  localStorage.setItem(HELP_KEY, choice.value === 'system' ? 'auto' : choice.value)
  document.documentElement.dataset['theme'] = shown.value
})

export const theme = { shown }

export const chooseTheme = (name: Settings['theme']): unknown => (choice.value = name)

/** The colour of a token as canvas and WebGL understand it, "rgb(0, 114, 178)"; both themes share the token's name. */
function colourOf(token: string, scheme: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  probe.style.colorScheme = scheme
  document.body.append(probe)
  const colour = getComputedStyle(probe).color
  probe.remove()
  return colour
}

export function coloursOf<K extends string>(tokens: Readonly<Record<K, string>>, scheme: 'light' | 'dark') {
  const colours = Object.entries<string>(tokens).map(([name, token]) => [name, colourOf(token, scheme)])
  return Object.fromEntries(colours) as Readonly<Record<K, string>>
}

export const useColours = <K extends string>(tokens: Readonly<Record<K, string>>) =>
  computed(() => coloursOf(tokens, theme.shown.value))

/** `share` of a plain colour, its channels multiplied by the alpha: WebGL here adds them as they are. */
export function veiled(colour: string, share: number): string {
  const channels = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((channel) => Math.round(share * Number(channel)))
  return `rgba(${channels.join(', ')}, ${share})`
}

export function blended(from: string, to: string, share: number): string {
  const [a, b] = [from, to].map((colour) => (colour.match(/[\d.]+/g) ?? []).map(Number))
  const channels = [0, 1, 2].map((i) => Math.round((1 - share) * (a?.[i] ?? 0) + share * (b?.[i] ?? 0)))
  return `rgb(${channels.join(', ')})`
}
