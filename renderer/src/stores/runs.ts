import { defineStore } from 'pinia'
import { computed, shallowReactive, shallowRef } from 'vue'
import type { CallArgs } from '../../../electron/contract/calls.ts'
import type { ServiceEvent } from '../../../electron/contract/events.ts'
import { isFinal, type Run } from '../../../electron/contract/run.ts'
import { ask } from '../bridge.ts'

export type RunProgress = Extract<ServiceEvent, { type: 'progress' }>['progress']

export const useRuns = defineStore('runs', () => {
  const byId = shallowRef<ReadonlyMap<string, Run>>(new Map())
  const progress = shallowRef<ReadonlyMap<string, RunProgress>>(new Map())
  const toldAt = shallowReactive(new Map<string, number>())

  const ending = shallowReactive(new Set<string>())

  const list = computed(() =>
    [...byId.value.values()].toSorted((a, b) => (a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1)),
  )
  const active = computed(() => list.value.filter((run) => !isFinal(run.state)))

  async function load(): Promise<void> {
    const { runs } = await ask('runs.list', {})
    byId.value = new Map(runs.map((run) => [run.id, run]))
  }

  function put(run: Run): void {
    byId.value = new Map(byId.value).set(run.id, run)
    if (isFinal(run.state)) forgetProgress(run.id)
  }

  async function annotate(id: string, notes: Omit<CallArgs<'runs.annotate'>, 'run'>): Promise<void> {
    put((await ask('runs.annotate', { run: id, ...notes })).run)
  }

  function drop(id: string): void {
    byId.value = new Map([...byId.value].filter(([other]) => other !== id))
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
