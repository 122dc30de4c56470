import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { defaultSettings, type Settings, type LibraryStatus } from '../../../electron/contract/settings.ts'
import { ask } from '../bridge.ts'
import { chooseTheme } from '../theme/theme.ts'

export const useSettings = defineStore('settings', () => {
  const settings = shallowRef<Settings>(defaultSettings)
  const status = shallowRef<LibraryStatus | null>(null)

  function put(given: Settings): void {
    settings.value = given
    chooseTheme(given.theme)
  }

  async function load(): Promise<void> {
    put((await ask('settings.get', {})).settings)
  }

  async function loadStatus(): Promise<void> {
    status.value = await ask('library.status', {})
  }

  async function set(changed: Partial<Settings>): Promise<void> {
    const before = settings.value
    put({ ...before, ...changed })
    try {
      put((await ask('settings.set', { settings: changed })).settings)
    } catch (error) {
      put(before)
      throw error
    }
  }

  return { settings, status, load, loadStatus, put, set }
})
