import type { EChartsType } from 'echarts/core'
import { ref, shallowRef, watch } from 'vue'

export interface WalkPlace {
  readonly lane: number
  readonly at: number
}

export interface Sight {
  readonly from: number
  readonly to: number
}

export interface WalkStep {
  readonly place: WalkPlace | null
  readonly sight: Sight
}

/** The series of a chart that marks where the keyboard is; without anything in it until then. */
export const WALK_MARK = 'walk'

export interface ChartWalk {
  readonly help: string
  /** Where a key (`KeyboardEvent.key`) leads; undefined: it leads nowhere here. */
  step(key: string, from: WalkStep): WalkStep | undefined
  words(place: WalkPlace): string
  mark(place: WalkPlace): readonly number[]
}

export function useChartWalk(drawn: () => EChartsType | null, chart: () => { readonly walk?: ChartWalk | undefined }) {
  const place = shallowRef<WalkPlace | null>(null)
  const said = ref('')

  function remark(): void {
    const { walk } = chart()
    if (walk === undefined) return
    const data = place.value === null ? [] : [walk.mark(place.value)]
    drawn()?.setOption({ series: [{ id: WALK_MARK, data }] })
  }

  function onKeydown(event: KeyboardEvent): void {
    const { walk } = chart()
    const shown = drawn()
    if (walk === undefined || shown === null || event.ctrlKey || event.metaKey || event.altKey) return
    const sight = sightOf(shown)
    const next = walk.step(event.key, { place: place.value, sight })
    if (next === undefined) return
    event.preventDefault()
    place.value = next.place
    said.value = next.place === null ? '' : walk.words(next.place)
    remark()
    const { from, to } = next.sight
    if (from !== sight.from || to !== sight.to)
      shown.dispatchAction({ type: 'dataZoom', startValue: from, endValue: to })
  }

  // Of another chart, or of the same with more in it, the place may be no place.
  watch(chart, () => {
    place.value = null
    said.value = ''
  })
  return { said, onKeydown, remark }
}

function sightOf(drawn: EChartsType): Sight {
  const { dataZoom } = drawn.getOption() as { dataZoom: readonly { startValue: number; endValue: number }[] }
  const { startValue: from = 0, endValue: to = 0 } = dataZoom[0] ?? {}
  return { from, to }
}
