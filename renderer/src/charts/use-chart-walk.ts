import type { EChartsType } from 'echarts/core'
import { ref, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'
import type { Chart } from './chart.ts'
import type { Sight, WalkPlace } from './chart-walk.ts'
import { WALK_MARK } from './chart-walk.ts'

interface UsedWalk {
  /** What is where the keyboard is; empty where it is nowhere. */
  readonly said: Readonly<Ref<string>>
  onKeydown(event: KeyboardEvent): void
  /** Marks the place in a chart that was drawn anew. */
  remark(): void
}

/** Goes through a drawn chart by the keyboard, where the chart can be gone through. */
export function useChartWalk(drawn: () => EChartsType | null, chart: () => Chart): UsedWalk {
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
