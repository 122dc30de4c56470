/**
 * The drawing of the page Explore: a neighbourhood, or a whole graph by levels of detail, as the address of the page asks for it. What is in sight
 * decides how finely it is drawn, and which groups are opened into their vertices; each of these is one question to the engine, whose newest answer
 * counts. overview.ts cuts the levels, layout.ts places neighbourhoods, communities.ts groups what is drawn.
 */

import { computed, ref, shallowRef, watch, type ComputedRef } from 'vue'
import type { CallResult } from '../../../electron/contract/calls.ts'
import { useLatest } from '../base/latest.ts'
import { ask } from '../bridge.ts'
import { communitiesOf } from './communities.ts'
import type { ExploreQuery } from './explore-query.ts'
import { hasPlaces, placed, type Layout } from './layout.ts'
import { areaOf, isOpened, nodeOfOpened, OverviewLevels, type Area } from './overview.ts'
import { shownNear, type Place, type Placement, type ResultKind, type Shown, type ShownVertex } from './shown.ts'

export interface Wanted {
  readonly dataset: string
  readonly run: string | null
  readonly against: string | null
  readonly query: ExploreQuery
  readonly kind: ResultKind
}

type Answer =
  | {
      readonly type: 'near'
      readonly wanted: Wanted
      readonly layout: Layout
      readonly near: CallResult<'explore.neighbourhood'>
      readonly placement: Placement
    }
  | { readonly type: 'all'; readonly wanted: Wanted; readonly layout: Layout; readonly levels: OverviewLevels }

export function useDrawing(wanted: ComputedRef<Wanted | null>) {
  const latest = useLatest(wanted, (now) => (now === null ? null : answerTo(now)), 0)
  const resultsOf = ({ run, against, query }: Wanted) => {
    const asked = [query.colour, query.size].filter((name) => name !== null)
    const attributes = asked.length === 0 ? {} : { attributes: asked }
    return { run: run ?? undefined, against: against ?? undefined, ...attributes }
  }
  let places: ReadonlyMap<number, Place> = new Map()
  let placesOf = ''
  /** The drawing of the whole graph that was seen last. */
  let whole: { readonly of: string; readonly places: ReadonlyMap<number, Place> } | null = null

  async function answerTo(now: Wanted): Promise<Answer> {
    const { dataset, query } = now
    const results = resultsOf(now)
    if (query.vertex === null) {
      const inside = query.inside ?? undefined
      const map = query.layout !== 'spread'
      const overview = await ask('explore.overview', { dataset, limit: query.detail, map, ...results, inside })
      const layout = overview.unplaced === null ? 'spread' : 'map'
      const levels = new OverviewLevels(overview, query.detail)
      whole = overview.kind === 'whole' ? { of: `${dataset} ${layout}`, places: levels.heads } : null
      return { type: 'all', wanted: now, layout, levels }
    }
    const { vertex, hops, limit } = query
    const also = query.also.length === 0 ? {} : { also: [...query.also] }
    const near = await ask('explore.neighbourhood', { dataset, vertex, hops, limit, ...results, ...also })
    const layout = layoutFor(query.layout, hasPlaces(near.vertices))
    const same = `${dataset} ${vertex} ${layout}`
    // What was in the drawing of the whole stays where it was; what it stood for comes around it.
    const before = whole?.of === `${dataset} ${layout}` ? whole.places : new Map<number, Place>()
    const placement = await placed(near, layout, placesOf === same ? places : before)
    places = placement.places
    placesOf = same
    return { type: 'near', wanted: now, layout, near, placement }
  }

  const answer = computed(() => (latest.value?.wanted.dataset === wanted.value?.dataset ? latest.value : null))
  const sight = shallowRef<Area | null>(null)
  const opened = ref<ReadonlySet<number>>(new Set())
  /** A drawing of something else is seen whole at first. */
  const frame = computed(() => {
    const { dataset, query } = answer.value?.wanted ?? { dataset: '', query: null }
    const { vertex = null, inside = null, detail = 0 } = query ?? {}
    return [dataset, vertex, inside, detail, answer.value?.layout].join(' ')
  })
  watch(frame, () => {
    sight.value = null
    opened.value = new Set()
  })

  /** Nodes whose vertices are drawn in their place, and what is known of these. */
  const toOpen = computed(() =>
    answer.value?.type === 'all' && answer.value.wanted.query.inside === null
      ? { of: answer.value, nodes: answer.value.levels.toOpen(sight.value, opened.value) }
      : null,
  )
  const openedNow = useLatest(
    () => JSON.stringify([toOpen.value?.nodes ?? [], wanted.value]),
    () => (toOpen.value === null || toOpen.value.nodes.length === 0 ? null : openIn(toOpen.value)),
    0,
  )
  const communities = useLatest(
    () => [wanted.value?.query.communities ?? null, answer.value === null ? '' : JSON.stringify(answer.value.wanted)],
    ([asked]) => (asked === null || answer.value === null ? null : groupsOf(answer.value)),
    0,
  )
  async function groupsOf(of: Answer) {
    const groups = await communitiesOf(linksOf(of))
    return { of, groups, at: of.type === 'near' ? new Map(of.near.vertices.map(({ id }, i) => [id, i])) : null }
  }
  /** The community of a vertex or group that is drawn; null while nobody asked, or before they are known. */
  const communityOf = computed(() => {
    const { value: found } = communities
    if (found === null || found.of !== answer.value) return null
    return ({ key }: ShownVertex): number | null => {
      const at = found.at === null ? finestOf(key) : found.at.get(key)
      return at === undefined ? null : (found.groups[at] ?? null)
    }
  })
  function finestOf(key: number): number | undefined {
    if (!isOpened(key)) return levels.value?.node(key).finest
    return vertices.value === null ? undefined : nodeOfOpened(key, vertices.value)
  }

  async function openIn({ of, nodes }: NonNullable<typeof toOpen.value>) {
    const { dataset, query } = of.wanted
    const asked = { dataset, limit: query.detail, map: query.layout !== 'spread', ...resultsOf(of.wanted) }
    return { of, vertices: of.levels.opened(await ask('explore.open', { ...asked, nodes: [...nodes] })) }
  }
  const vertices = computed(() => (openedNow.value?.of === answer.value ? (openedNow.value?.vertices ?? null) : null))

  let drawn: { readonly of: Answer; readonly shown: Shown } | null = null
  const shown = computed((): Shown | null => {
    const { value } = answer
    if (value === null) return null
    const { kind } = value.wanted
    const now =
      value.type === 'near'
        ? shownNear(value.near, kind, value.placement)
        : value.levels.cut(kind, sight.value, opened.value, vertices.value)
    // The same nodes are not drawn anew when only the sight has moved.
    const isSame = drawn?.of === value && sameNodes(drawn.shown, now)
    drawn = isSame ? drawn : { of: value, shown: now }
    return drawn!.shown
  })
  const levels = computed(() => (answer.value?.type === 'all' ? answer.value.levels : null))

  /** What is drawn now, with attributes of its vertices. */
  async function described(attributes: readonly string[]): Promise<Shown | null> {
    const { value: of } = answer
    if (of === null || attributes.length === 0) return shown.value
    const { dataset, kind, query } = of.wanted
    const asked = { dataset, ...resultsOf(of.wanted), attributes: [...attributes] }
    if (of.type === 'near') {
      const also = query.also.length === 0 ? {} : { also: [...query.also] }
      const { vertex, hops, limit } = query
      const near = await ask('explore.neighbourhood', { ...asked, vertex, hops, limit, ...also })
      return shownNear(near, kind, of.placement)
    }
    const drawing = { ...asked, limit: query.detail, map: query.layout !== 'spread' }
    const inside = query.inside ?? undefined
    const own = new OverviewLevels(await ask('explore.overview', { ...drawing, inside }), query.detail)
    const nodes = vertices.value === null ? [] : [...vertices.value.byNode.keys()]
    const apart = nodes.length === 0 ? null : own.opened(await ask('explore.open', { ...drawing, nodes }))
    return own.cut(kind, sight.value, opened.value, apart)
  }

  const extent = computed((): Area | undefined =>
    answer.value?.type === 'near' ? areaOf([...answer.value.placement.places.values()]) : levels.value?.extent,
  )
  return { latest, answer, shown, frame, levels, sight, opened, vertices, extent, communityOf, described }
}

/** The edges that are drawn, by the numbers of the nodes of the finest level, or of the vertices. */
function linksOf(of: Answer): Parameters<typeof communitiesOf>[0] {
  if (of.type === 'all') {
    const { nodes, drawn } = of.levels.overview
    return { sizes: nodes.sizes, sources: drawn.sources, targets: drawn.targets, weights: drawn.counts }
  }
  const { vertices, edges } = of.near
  const at = new Map(vertices.map(({ id }, i) => [id, i]))
  return {
    sizes: vertices.map(() => 1),
    sources: edges.map(({ source }) => at.get(source)!),
    targets: edges.map(({ target }) => at.get(target)!),
    weights: edges.map(() => 1),
  }
}

const layoutFor = (wanted: Layout | null, isPlaced: boolean): Layout =>
  isPlaced ? (wanted ?? 'map') : wanted === 'rings' ? 'rings' : 'spread'

const sameNodes = (a: Shown, b: Shown): boolean =>
  a.vertices.length === b.vertices.length && a.vertices.every(({ key }, i) => key === b.vertices[i]!.key)
