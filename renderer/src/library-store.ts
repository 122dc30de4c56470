import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { CallResult } from '../../electron/contract/calls.ts'
import type { Dataset } from '../../electron/contract/dataset.ts'
import type { ServiceEvent } from '../../electron/contract/events.ts'
import type { Run } from '../../electron/contract/run.ts'
import { call, listen } from './bridge.ts'
import type { Bridge } from './bridge.ts'

type Devices = CallResult<'devices'>
type Progress = Extract<ServiceEvent, { type: 'progress' }>

const RECENT_RUNS = 12

/** The library as the page shows it: read once, then kept up to date by events. */
export const useLibrary = defineStore('library', () => {
  const datasets = shallowRef<readonly Dataset[]>([])
  const runs = shallowRef<readonly Run[]>([])
  const devices = shallowRef<Devices | null>(null)
  const progress = shallowRef<ReadonlyMap<string, Progress>>(new Map())
  const state = ref<'loading' | 'ready' | 'failed'>('loading')
  const problem = ref('')

  const recentRuns = computed(() =>
    runs.value.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, RECENT_RUNS),
  )

  /** The newest run of each dataset. */
  const lastRuns = computed(() => {
    const newestLast = runs.value.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    return new Map(newestLast.map((run) => [run.dataset, run]))
  })

  function apply(event: ServiceEvent): void {
    switch (event.type) {
      case 'dataset-changed':
        datasets.value = [...datasets.value.filter((dataset) => dataset.id !== event.dataset.id), event.dataset]
        return
      case 'dataset-removed':
        datasets.value = datasets.value.filter((dataset) => dataset.name !== event.name)
        return
      case 'run-changed':
        runs.value = [...runs.value.filter((run) => run.id !== event.run.id), event.run]
        return
      case 'run-removed':
        runs.value = runs.value.filter((run) => run.id !== event.run)
        return
      case 'progress':
        progress.value = new Map(progress.value).set(event.of, event)
        return
      case 'work-changed':
      case 'work-removed':
      case 'settings-changed':
      case 'open':
        return
      default:
        event satisfies never
    }
  }

  /** Reads the lists again: the command line may have changed the library, and its events reach only its own process. */
  async function refresh(bridge: Bridge): Promise<void> {
    const [listed, ran] = await Promise.all([call(bridge, 'datasets.list', {}), call(bridge, 'runs.list', {})])
    datasets.value = listed.datasets
    runs.value = ran.runs
    state.value = 'ready'
  }

  /** Reads everything and starts listening; the devices come last, because finding them starts the engine. */
  async function open(bridge: Bridge): Promise<() => void> {
    const stop = listen(bridge, apply)
    try {
      await refresh(bridge)
      devices.value = await call(bridge, 'devices', {})
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error)
      if (state.value === 'loading') state.value = 'failed'
    }
    return stop
  }

  return { datasets, runs, recentRuns, lastRuns, devices, progress, state, problem, open, refresh, apply }
})
