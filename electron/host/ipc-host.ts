import { BrowserWindow, ipcMain, type IpcMainInvokeEvent } from 'electron'
import { answer, refuse } from './answer.ts'
import type { ServicePort } from './answer.ts'
import { callChannel, eventChannel } from './channels.ts'
import { isTrusted } from './page.ts'

/** Only the top frame of our own page may call. */
function isFromPage(event: IpcMainInvokeEvent, origins: readonly string[]): boolean {
  const frame = event.senderFrame
  return frame !== null && frame === event.sender.mainFrame && isTrusted(frame.url, origins)
}

/** @returns what disconnects them */
export function connectWindows(service: ServicePort, origins: readonly string[]): () => void {
  ipcMain.handle(callChannel, (event: IpcMainInvokeEvent, name: unknown, args: unknown) =>
    isFromPage(event, origins)
      ? answer(service, name, args)
      : refuse('usage', 'this call came from a foreign page', 'Close that window.'),
  )
  const stopListening = service.listen((event) => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send(eventChannel, event)
  })
  return () => {
    stopListening()
    ipcMain.removeHandler(callChannel)
  }
}
