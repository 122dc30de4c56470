import { defineStore } from 'pinia'
import { computed, shallowReactive } from 'vue'
import type { CallArgs } from '../../../electron/contract/calls.ts'
import { isFinal, type Run } from '../../../electron/contract/run.ts'
import { useKeyed } from './keyed.ts'
import { ask } from '../bridge.ts'

export const useRuns = defineStore('runs', () => {
  const { byId, all, replace, put: putIn, drop: dropIf } = useKeyed<string, Run>(({ id }) => id)
  /** Searches that were asked to end with their best answer. */
  const ending = shallowReactive(new Set<string>())

  const list = computed(() =>
    all.value.toSorted((a, b) => (a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1)),
  )
  const active = computed(() => list.value.filter((run) => !isFinal(run.state)))

  async function load(): Promise<void> {
    replace((await ask('runs.list', {})).runs)
  }

  function put(run: Run): void {
    putIn(run)
    if (isFinal(run.state)) ending.delete(run.id)
  }

  async function annotate(id: string, notes: Omit<CallArgs<'runs.annotate'>, 'run'>): Promise<void> {
    put((await ask('runs.annotate', { run: id, ...notes })).run)
  }

  function drop(id: string): void {
    dropIf((run) => run.id === id)
  }

  async function finish(id: string): Promise<void> {
    ending.add(id)
    try {
      put((await ask('runs.finish', { run: id })).run)
    } catch (error) {
      ending.delete(id)
      throw error
    }
  }

  return { byId, list, active, ending, load, put, annotate, finish, drop }
})
