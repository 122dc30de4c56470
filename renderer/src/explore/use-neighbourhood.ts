import { shallowRef, watch } from 'vue'
import type { ShallowRef } from 'vue'
import { ask, failureOf } from '../connection.ts'
import type { FailureValue } from '../connection.ts'
import type { Neighbourhood } from './neighbourhood.ts'

export interface NeighbourhoodRequest {
  readonly dataset: string
  readonly run: string | null
  readonly vertex: string | null
  readonly hops: number
  readonly limit: number
}

interface Read {
  /** What was read last stays until the next is there, so that nothing flickers. */
  readonly shown: Readonly<ShallowRef<Neighbourhood | null>>
  readonly failure: Readonly<ShallowRef<FailureValue | null>>
  readonly loading: Readonly<ShallowRef<boolean>>
}

/** Reads the neighbourhood whenever the request changes; answers to older requests are dropped. */
export function useNeighbourhood(request: () => NeighbourhoodRequest | null): Read {
  const shown = shallowRef<Neighbourhood | null>(null)
  const failure = shallowRef<FailureValue | null>(null)
  const loading = shallowRef(false)
  let newest = 0

  async function read({ run, ...args }: NeighbourhoodRequest): Promise<void> {
    const mine = ++newest
    loading.value = true
    try {
      const answer = await ask('explore.neighbourhood', { ...args, ...(run === null ? {} : { run }) })
      if (mine !== newest) return
      shown.value = answer
      failure.value = null
    } catch (error) {
      if (mine === newest) failure.value = failureOf(error)
    } finally {
      if (mine === newest) loading.value = false
    }
  }

  watch(
    request,
    (now, before) => {
      if (now === null || now.dataset !== before?.dataset) shown.value = null
      if (now !== null && JSON.stringify(now) !== JSON.stringify(before)) void read(now)
    },
    { immediate: true },
  )
  return { shown, failure, loading }
}
