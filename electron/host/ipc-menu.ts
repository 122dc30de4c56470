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

/** Sets the native menu: what every program has, and the pages. @param open shows a page of the workbench */
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

/** No reload and no developer tools: the window is a program, and not a page. */
const viewItems: MenuItemConstructorOptions[] = [
  { role: 'resetZoom' },
  { role: 'zoomIn' },
  { role: 'zoomOut' },
  { type: 'separator' },
  { role: 'togglefullscreen' },
]
