import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { isUnderWay } from '../../../electron/contract/work.ts'
import type { Work } from '../../../electron/contract/work.ts'
import { ask } from '../connection.ts'
import { Rates } from './rate.ts'
import type { Rate } from './rate.ts'

/** Long operations: those that go on, and those that ended and were not dismissed. */
export const useWork = defineStore('work', () => {
  const byId = shallowRef<ReadonlyMap<string, Work>>(new Map())
  /** Oldest first, so that no card moves when another one comes. */
  const list = computed(() =>
    [...byId.value.values()].toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0)),
  )
  const running = computed(() => list.value.filter(isUnderWay))

  async function load(): Promise<void> {
    const { work } = await ask('work.list', {})
    byId.value = new Map(work.map((one) => [one.id, one]))
  }

  const rates = new Rates()
  function rateOf(work: Work): Rate {
    if (work.progress === null) return { perSecond: null, leftMs: null }
    const rate = rates.of(work.id, work.progress)
    // What was asked to stop does not go to the end of its phase.
    return work.state === 'cancelling' ? { ...rate, leftMs: null } : rate
  }

  function put(work: Work): void {
    if (!isUnderWay(work)) rates.forget(work.id)
    else if (work.progress !== null) rates.note(work.id, work.progress, performance.now())
    byId.value = new Map(byId.value).set(work.id, work)
  }

  function drop(id: string): void {
    byId.value = new Map([...byId.value].filter(([other]) => other !== id))
  }

  async function cancel(id: string): Promise<void> {
    put((await ask('work.cancel', { id })).work)
  }

  async function dismiss(id: string): Promise<void> {
    await ask('work.dismiss', { id })
    drop(id)
  }

  return { byId, list, running, load, put, drop, rateOf, cancel, dismiss }
})
