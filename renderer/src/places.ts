import { ChartNoAxesCombined, Cpu, Database, ListVideo, Play, Settings2, Waypoints, type LucideIcon } from '@lucide/vue'
import { words } from './words/words.ts'

export interface Place {
  readonly name: string
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  readonly holds: readonly string[]
  readonly keys: string
}

export const places: readonly Place[] = [
  { name: 'library', path: '/library', label: words.frame.library, icon: Database, holds: ['dataset'], keys: 'g l' },
  { name: 'new-run', path: '/new-run', label: words.frame.newRun, icon: Play, holds: [], keys: 'g n' },
  { name: 'runs', path: '/runs', label: words.frame.runs, icon: ListVideo, holds: ['run'], keys: 'g r' },
  { name: 'compare', path: '/compare', label: words.frame.compare, icon: ChartNoAxesCombined, holds: [], keys: 'g c' },
  { name: 'explore', path: '/explore', label: words.frame.explore, icon: Waypoints, holds: [], keys: 'g e' },
  { name: 'devices', path: '/devices', label: words.frame.devices, icon: Cpu, holds: [], keys: 'g d' },
  { name: 'settings', path: '/settings', label: words.frame.settings, icon: Settings2, holds: [], keys: 'g s' },
]

export const runPath = (id: string): string => `/run/${encodeURIComponent(id)}`
export const datasetPath = (name: string): string => `/dataset/${encodeURIComponent(name)}`
export const explorePath = (dataset: string): string => `/explore/${encodeURIComponent(dataset)}`
