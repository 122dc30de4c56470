import { defineStore } from 'pinia'
import { computed, ref, shallowRef, onScopeDispose } from 'vue'
import type { CallResult } from '../../../electron/contract/calls.ts'
import { ask, failureOf, type FailureValue } from '../bridge.ts'

type Found = CallResult<'devices'>
type Memory = CallResult<'devices.memory'>['devices'][number]

export const useDevices = defineStore('devices', () => {
  const found = shallowRef<Found | null>(null)
  const memory = shallowRef<ReadonlyMap<string, Memory>>(new Map())
  const measured = shallowRef<Found | null>(null)
  const problem = shallowRef<FailureValue | null>(null)
  const measuring = ref(false)
  const list = computed(() => found.value?.devices ?? [])

  /** The first look starts the engine, and takes a second or so. */
  async function load(): Promise<void> {
    try {
      found.value = await ask('devices', {})
      problem.value = null
    } catch (error) {
      problem.value = failureOf(error)
    }
  }

  async function readMemory(): Promise<void> {
    const { devices } = await ask('devices.memory', {})
    memory.value = new Map(devices.map((device) => [device.id, device]))
  }

  /** Workers on the processor share the machine's memory, which the first of them has. */
  function memoryOf(device: string): { readonly total: number; readonly used: number } | null {
    const id = device.startsWith('cpu:') ? 'cpu:0' : device
    const known = { ...list.value.find((one) => one.id === id), ...memory.value.get(id) }
    const { memoryBytes: total = null, memoryFreeBytes: free = null } = known
    return total === null || free === null || total === 0 ? null : { total, used: total - free }
  }

  async function benchmark(): Promise<void> {
    measuring.value = true
    try {
      measured.value = await ask('devices.benchmark', {})
    } finally {
      measuring.value = false
    }
  }

  return { found, list, memory, measured, problem, measuring, load, readMemory, memoryOf, benchmark }
})

const EVERY_MS = 2000

/** Reads what is free on the devices again and again, for as long as a page shows it and is in sight. */
export function useLiveMemory(): void {
  const devices = useDevices()
  const read = (): void => {
    // A reading that fails is made up for by the next one.
    if (!document.hidden) void devices.readMemory().catch(() => {})
  }
  read()
  const timer = setInterval(read, EVERY_MS)
  onScopeDispose(() => clearInterval(timer))
}
