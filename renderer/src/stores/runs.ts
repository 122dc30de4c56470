import { defineStore } from 'pinia'
import { computed, shallowReactive, shallowRef } from 'vue'
import type { CallArgs } from '../../../electron/contract/calls.ts'
import type { ServiceEvent } from '../../../electron/contract/events.ts'
import { isFinal, type Run } from '../../../electron/contract/run.ts'
import { useKeyed } from './keyed.ts'
import { ask } from '../bridge.ts'

export type RunProgress = Extract<ServiceEvent, { type: 'progress' }>['progress']

export const useRuns = defineStore('runs', () => {
  const { byId, all, replace, put: putIn, drop: dropIf } = useKeyed<string, Run>(({ id }) => id)
  const progress = shallowRef<ReadonlyMap<string, RunProgress>>(new Map())
  const toldAt = shallowReactive(new Map<string, number>())

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
    if (isFinal(run.state)) forgetProgress(run.id)
  }

  async function annotate(id: string, notes: Omit<CallArgs<'runs.annotate'>, 'run'>): Promise<void> {
    put((await ask('runs.annotate', { run: id, ...notes })).run)
  }

  function drop(id: string): void {
    dropIf((run) => run.id === id)
    forgetProgress(id)
  }

  function noteProgress(id: string, at: RunProgress): void {
    toldAt.set(id, Date.now())
    progress.value = new Map(progress.value).set(id, at)
  }

  async function finish(id: string): Promise<void> {
    ending.add(id)
    put((await ask('runs.finish', { run: id })).run)
  }

  function forgetProgress(id: string): void {
    ending.delete(id)
    toldAt.delete(id)
    if (progress.value.has(id)) progress.value = new Map([...progress.value].filter(([other]) => other !== id))
  }

  return { byId, list, active, progress, toldAt, ending, load, put, annotate, finish, drop, noteProgress }
})
