import { Menu } from 'electron'
import type { MenuItemConstructorOptions } from 'electron'

const places = [
  ['Library', '/'],
  ['New Run', '/new-run'],
  ['Runs', '/runs'],
  ['Compare', '/compare'],
  ['Explore', '/explore'],
  ['Devices', '/devices'],
  ['Settings', '/settings'],
] as const

/** @param open shows a page */
export function setMenu(open: (path: string) => void): void {
  const pages = places.map(([label, path]): MenuItemConstructorOptions => ({ label, click: () => open(path) }))
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    { role: 'fileMenu' },
    { role: 'editMenu' },
    { label: 'Go', submenu: pages },
    { label: 'View', submenu: viewItems },
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

/** No reload, no developer tools. */
const viewItems: MenuItemConstructorOptions[] = [
  { role: 'resetZoom' },
  { role: 'zoomIn' },
  { role: 'zoomOut' },
  { type: 'separator' },
  { role: 'togglefullscreen' },
]
