import { flushPromises, mount } from '@vue/test-utils'
import type { VueWrapper } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { nextTick } from 'vue'
import { vi } from 'vitest'
import App from '../../renderer/src/App.vue'
import { makeRouter } from '../../renderer/src/router.ts'
import type { ServiceEvent } from '../../electron/contract/events.ts'
import { answers } from './sample-library.ts'
import type { SampleLibrary } from './sample-library.ts'
import type { Reach } from '../../renderer/src/bridge.ts'

export interface Opened {
  readonly page: VueWrapper
  tell(event: ServiceEvent): Promise<void>
  /** The program is there, or gone. */
  reach(now: Reach): Promise<void>
  readonly listeners: ReadonlySet<(event: unknown) => void>
  /** Calls that were made, in order. */
  readonly asked: readonly { readonly name: string; readonly args: unknown }[]
}

/** The whole page at an address ("/library"), without a program behind it unless one was stubbed. */
export async function mountPage(path = '/library'): Promise<VueWrapper> {
  const router = makeRouter()
  await router.push(path)
  const page = mount(App, { global: { plugins: [createPinia(), router] }, attachTo: document.body })
  await flushPromises()
  return page
}

/** The page in front of a program that answers from a library of the test's own; `more` answers further calls. */
export async function openPage(
  library: SampleLibrary,
  path = '/library',
  more: Readonly<Record<string, unknown>> = {},
): Promise<Opened> {
  const listeners = new Set<(event: unknown) => void>()
  const reachListeners = new Set<(reach: Reach) => void>()
  const asked: { name: string; args: unknown }[] = []
  vi.stubGlobal('anticlique', {
    call: (name: string, args: unknown) => {
      asked.push({ name, args })
      return Promise.resolve({ ok: true, result: { ...answers(library), ...more }[name] })
    },
    on: (listener: (event: unknown) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onReach: (listener: (reach: Reach) => void) => {
      reachListeners.add(listener)
      return () => reachListeners.delete(listener)
    },
  })
  const page = await mountPage(path)
  const tell = async (event: ServiceEvent): Promise<void> => {
    for (const listener of listeners) listener(event)
    await nextTick()
  }
  const reach = async (now: Reach): Promise<void> => {
    for (const listener of reachListeners) listener(now)
    await nextTick()
  }
  return { page, tell, reach, listeners, asked }
}
