import type Sigma from 'sigma'
import type { Area } from './overview.ts'
import type { Place } from './shown.ts'
import { STILL_MS } from './movement.ts'
import type { SceneEdge, SceneNode } from './node-shapes.ts'

export interface SceneEvents {
  /** null: the ground beside all vertices. `more`: beside what is selected already. */
  readonly choose: (key: number | null, more: boolean) => void
  readonly enter: (key: number) => void
  readonly sight: (area: Area) => void
  /** A person gave a vertex another place. */
  readonly move: (key: number, place: Place) => void
}

const isMore = (event: MouseEvent | TouchEvent): boolean => event.shiftKey || event.ctrlKey || event.metaKey

/** Tells clicks on vertices and beside them, double clicks on one vertex, and where the camera came to rest. */
export function listenToScene(
  sigma: Sigma<SceneNode, SceneEdge>,
  events: SceneEvents,
  { inSight, canMove }: { readonly inSight: () => Area; readonly canMove: () => boolean },
): void {
  listenToMoves(sigma, events.move, canMove)
  let clicked: string | null = null
  const choose = (node: string | null, more = false): void => {
    clicked = node
    events.choose(node === null ? null : Number(node), more)
  }
  sigma.on('clickNode', ({ node, event }) => choose(node, isMore(event.original)))
  sigma.on('clickStage', ({ event }) => {
    if (!isMore(event.original)) choose(null)
  })
  // Two quick clicks are one double click to Sigma wherever they are; here only those on one vertex, or beside all of them.
  sigma.on('doubleClickNode', ({ node, preventSigmaDefault }) => {
    preventSigmaDefault()
    if (node === clicked) events.enter(Number(node))
    else choose(node)
  })
  sigma.on('doubleClickStage', ({ preventSigmaDefault }) => {
    if (clicked !== null) preventSigmaDefault()
    choose(null)
  })
  // Sigma takes a vertex for hovered until the pointer moves elsewhere within the drawing, and would keep its ring.
  sigma.on('leaveStage', ({ event }) => {
    const { original } = event
    if (!(original instanceof MouseEvent)) return
    const outside = { x: -1, y: -1, sigmaDefaultPrevented: false, preventSigmaDefault: () => {}, original }
    sigma.getMouseCaptor().emit('mousemove', outside)
  })
  let still: ReturnType<typeof setTimeout> | undefined
  sigma.getCamera().on('updated', () => {
    clearTimeout(still)
    still = setTimeout(() => events.sight(inSight()), STILL_MS)
  })
  sigma.on('kill', () => clearTimeout(still))
}

/** Vertices follow the pointer that holds them; what else is drawn stays where it is. */
function listenToMoves(sigma: Sigma<SceneNode, SceneEdge>, move: SceneEvents['move'], canMove: () => boolean): void {
  let held: string | null = null
  let place: Place | null = null
  sigma.on('downNode', ({ node, event }) => {
    if (canMove() && !isMore(event.original)) held = node
  })
  sigma.on('moveBody', ({ event, preventSigmaDefault }) => {
    if (held === null || !sigma.getGraph().hasNode(held)) return
    if (sigma.getCustomBBox() === null) sigma.setCustomBBox(sigma.getBBox())
    place = sigma.viewportToGraph(event)
    sigma.getGraph().mergeNodeAttributes(held, place)
    preventSigmaDefault()
    event.original.preventDefault()
  })
  const end = (): void => {
    if (held !== null && place !== null) move(Number(held), place)
    ;[held, place] = [null, null]
  }
  sigma.on('upNode', end)
  sigma.on('upStage', end)
}
