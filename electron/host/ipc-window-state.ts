import { app, screen } from 'electron'
import type { BrowserWindow, Rectangle } from 'electron'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const stateSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(1),
  height: z.number().int().min(1),
  isMaximized: z.boolean(),
})
type WindowState = z.infer<typeof stateSchema>

/** Pixels that some screen must show. */
const IN_SIGHT = 100

const statePath = (): string => join(app.getPath('userData'), 'window.json')

/** null the first time, or where no screen shows that place. */
export function lastWindowState(): WindowState | null {
  try {
    const state = stateSchema.parse(JSON.parse(readFileSync(statePath(), 'utf8')))
    return screen.getAllDisplays().some(({ workArea }) => isInSight(state, workArea)) ? state : null
  } catch {
    return null
  }
}

export function keepWindowState(window: BrowserWindow): void {
  window.on('close', () => {
    const state: WindowState = { ...window.getNormalBounds(), isMaximized: window.isMaximized() }
    const aside = `${statePath()}.new`
    try {
      writeFileSync(aside, JSON.stringify(state))
      renameSync(aside, statePath())
    } catch (error) {
      console.error(`the place of the window was not kept: ${String(error)}`)
    }
  })
}

function isInSight(window: Rectangle, area: Rectangle): boolean {
  const across = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x)
  const down = Math.min(window.y + window.height, area.y + area.height) - Math.max(window.y, area.y)
  return across >= IN_SIGHT && down >= IN_SIGHT
}
