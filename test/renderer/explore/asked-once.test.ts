import { mount } from '@vue/test-utils'
import { afterEach, expect, it, vi } from 'vitest'
import GraphDrawing from '../../../renderer/src/explore/GraphDrawing.vue'
import { openPage } from '../open-page.ts'
import { dataset, run } from '../sample-library.ts'

const seen = vi.hoisted(() => [] as string[])
vi.mock('../../../renderer/src/explore/scene.ts', () => ({
  Scene: class {
    constructor() {
      seen.push('made')
    }
    show = ({ vertices }: { vertices: readonly unknown[] }): void => void seen.push(`shown ${vertices.length}`)
    recolour = (): void => {}
    select = (): void => {}
    choose = (): void => {}
    resize = (): void => {}
    kill = (): void => void seen.push('gone')
  },
}))

afterEach(() => vi.unstubAllGlobals())

it('a whole graph is asked for once, whatever is said of runs that it does not show', async () => {
  const { asked, tell, page } = await openPage({ datasets: [dataset(1, 'cities')], runs: [] }, '/explore/cities')
  const overviews = () => asked.filter(({ name }) => name === 'explore.overview')
  await vi.waitFor(() => expect(overviews()).toHaveLength(1))
  for (const state of ['running', 'done'] as const) await tell({ type: 'run-changed', run: run('run-7', state) })
  await tell({ type: 'dataset-changed', dataset: dataset(2, 'other') })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(overviews()).toHaveLength(1)
  page.unmount()
})

it('a drawing is made ready before it is known what is drawn, once for all that is', async () => {
  const props = { shown: null, frame: 'a', around: 'cities', chosen: null, selected: new Set<number>() }
  seen.length = 0
  const drawing = mount(GraphDrawing, { props, global: { stubs: { IconButton: true } } })
  // What the page asks for is asked first.
  await Promise.resolve()
  expect(seen).toEqual([])
  await vi.waitFor(() => expect(seen).toEqual(['made']))
  const shown = { vertices: [], edges: [], places: new Map(), limits: [] }
  await drawing.setProps({ shown })
  await drawing.setProps({ shown: null })
  await drawing.setProps({ shown: { ...shown }, frame: 'b' })
  expect(seen).toEqual(['made', 'shown 0', 'shown 0'])
  drawing.unmount()
  expect(seen.at(-1)).toBe('gone')
})
