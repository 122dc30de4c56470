import { app, dialog, Menu, type MenuItemConstructorOptions } from 'electron'

const places = [
  ['Library', '/'],
  ['New Run', '/new-run'],
  ['Runs', '/runs'],
  ['Compare', '/compare'],
  ['Explore', '/explore'],
  ['Devices', '/devices'],
  ['Settings', '/settings'],
] as const

export function setMenu(open: (path: string) => void): void {
  const pages = places.map(([label, path]): MenuItemConstructorOptions => ({ label, click: () => open(path) }))
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    { label: 'File', submenu: fileItems },
    { role: 'editMenu' },
    { label: 'Go', submenu: pages },
    { label: 'View', submenu: viewItems },
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

const fileItems: MenuItemConstructorOptions[] = [
  { label: 'Open Another Library …', accelerator: 'CmdOrCtrl+Shift+O', click: () => void openAnotherLibrary() },
  { type: 'separator' },
  { role: process.platform === 'darwin' ? 'close' : 'quit' },
]

/** One program has one library: it starts anew with the other one, which is made where the folder is empty. */
async function openAnotherLibrary(): Promise<void> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Open another library',
    properties: ['openDirectory', 'createDirectory'],
  })
  const [folder] = filePaths
  if (folder === undefined) return
  process.env['ANTICLIQUE_LIBRARY'] = folder
  app.relaunch()
  app.quit()
}

/** No reload, no developer tools. */
const viewItems: MenuItemConstructorOptions[] = [
  { role: 'resetZoom' },
  { role: 'zoomIn' },
  { role: 'zoomOut' },
  { type: 'separator' },
  { role: 'togglefullscreen' },
]
