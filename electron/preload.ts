import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { callChannel, eventChannel } from './host/channels.ts'

/** Both sides check what crosses. */
const bridge = {
  call: (name: string, args: unknown): Promise<unknown> => ipcRenderer.invoke(callChannel, name, args),

  /** A file that the person chose: pages never learn paths. */
  take: (file: File): Promise<string> => Promise.resolve(webUtils.getPathForFile(file)),

  /** @returns what ends it */
  on: (listener: (event: unknown) => void): (() => void) => {
    const forward = (_sender: unknown, event: unknown): void => listener(event)
    ipcRenderer.on(eventChannel, forward)
    return () => {
      ipcRenderer.removeListener(eventChannel, forward)
    }
  },
}

contextBridge.exposeInMainWorld('anticlique', bridge)
