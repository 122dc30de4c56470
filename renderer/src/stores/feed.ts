import type { ServiceEvent } from '../../../electron/contract/events.ts'
import { useAlgorithms } from './algorithms.ts'
import { useDatasets } from './datasets.ts'
import { useDevices } from './devices.ts'
import { useRuns } from './runs.ts'
import { useSettings } from './settings.ts'
import { useWork } from './work.ts'

export async function loadStores(): Promise<void> {
  await Promise.all([useDatasets().load(), useRuns().load(), useSettings().load(), useWork().load()])
}

/** Reads again what another process may have changed; App.vue says when the program is gone. */
export async function refreshStores(): Promise<void> {
  await Promise.all([loadStores(), useSettings().loadStatus()]).catch(() => {})
}

export async function loadLater(): Promise<void> {
  await Promise.all([useAlgorithms().load(), useSettings().loadStatus(), useDevices().load()])
}

export function applyEvent(event: ServiceEvent, open: (path: string) => void): void {
  switch (event.type) {
    case 'dataset-changed':
      return useDatasets().put(event.dataset)
    case 'dataset-removed':
      return useDatasets().drop(event.name)
    case 'removed-changed':
      return void useDatasets().putRemoved(event.removed)
    case 'run-changed':
      return useRuns().put(event.run)
    // The work that a run is tells both.
    case 'progress':
    case 'run-cancelling':
      return
    case 'run-removed':
      return useRuns().drop(event.run)
    case 'work-changed':
      return useWork().put(event.work)
    case 'work-removed':
      return useWork().drop(event.id)
    case 'library-changed':
      return void refreshStores()
    case 'settings-changed':
      return useSettings().put(event.settings)
    case 'open':
      return open(event.path)
    default:
      event satisfies never
  }
}
