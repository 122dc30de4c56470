import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import type { Bridge } from '../../../renderer/src/bridge.ts'

class FakeRenderer extends EventEmitter {
  readonly invoke = vi.fn<(channel: string, ...args: readonly unknown[]) => Promise<unknown>>(() => Promise.resolve(7))
}
const fake = vi.hoisted(() => ({ exposed: new Map<string, unknown>(), renderer: null as unknown }))

vi.mock('electron', () => {
  fake.renderer = new FakeRenderer()
  return {
    contextBridge: { exposeInMainWorld: (name: string, bridge: unknown) => void fake.exposed.set(name, bridge) },
    ipcRenderer: fake.renderer,
    webUtils: { getPathForFile: (file: File) => `/dropped/${file.name}` },
  }
})

test('the page gets three functions and nothing of Electron', async () => {
  await import('../../../electron/preload.ts')
  expect([...fake.exposed.keys()]).toEqual(['anticlique'])
  const bridge = fake.exposed.get('anticlique') as Bridge
  expect(Object.keys(bridge)).toEqual(['call', 'take', 'on'])
  expect(await bridge.take?.(new File(['1 2'], 'graph.txt'))).toBe('/dropped/graph.txt')

  const renderer = fake.renderer as FakeRenderer
  expect(await bridge.call('runs.list', {})).toBe(7)
  expect(renderer.invoke).toHaveBeenCalledExactlyOnceWith('anticlique:call', 'runs.list', {})

  const heard = vi.fn<(event: unknown) => void>()
  const stop = bridge.on(heard)
  renderer.emit('anticlique:event', { sender: 'not for the page' }, { type: 'run-removed', run: 'a' })
  expect(heard).toHaveBeenCalledExactlyOnceWith({ type: 'run-removed', run: 'a' })
  stop()
  expect(renderer.listenerCount('anticlique:event')).toBe(0)
})
