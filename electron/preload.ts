import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { callChannel, eventChannel } from './host/channels.ts'

/** All that the page sees of the program. Both sides check what crosses against the contract. */
const bridge = {
  call: (name: string, args: unknown): Promise<unknown> => ipcRenderer.invoke(callChannel, name, args),

  /** Where a file lies that the person dropped or chose; the page itself never learns paths from files. */
  take: (file: File): Promise<string> => Promise.resolve(webUtils.getPathForFile(file)),

  /** Hears every event of the service; returns the function that ends listening. */
  on: (listener: (event: unknown) => void): (() => void) => {
    const forward = (_sender: unknown, event: unknown): void => listener(event)
    ipcRenderer.on(eventChannel, forward)
    return () => {
      ipcRenderer.removeListener(eventChannel, forward)
    }
  },
}

contextBridge.exposeInMainWorld('anticlique', bridge)
