import Graph from 'graphology'
import Sigma from 'sigma'
import { EdgeRectangleProgram, NodeCircleProgram } from 'sigma/rendering'
import { veiled } from '../theme/colours.ts'
import type { Places } from './layout.ts'
import { legibleNames } from './legible-names.ts'
import { colourOfValue, edgeShare, markOf, nameOf, sizeOf } from './neighbourhood.ts'
import type { Mark, Neighbourhood, ResultKind } from './neighbourhood.ts'
import { DiamondProgram, RingProgram } from './node-shapes.ts'
import type { SceneEdge as Edge, SceneNode as Node } from './node-shapes.ts'

export interface SceneColours {
  readonly text: string
  readonly ground: string
  readonly edge: string
  readonly member: string
  readonly out: string
  readonly plain: string
  readonly matched: string
  readonly focus: string
}

export interface SceneEvents {
  /** null: the ground beside all vertices. */
  readonly choose: (id: number | null) => void
  readonly enter: (id: number) => void
}

const shapes: Readonly<Record<Mark, { readonly type: string; readonly size: number }>> = {
  member: { type: 'diamond', size: 8 },
  out: { type: 'circle', size: 4 },
  plain: { type: 'circle', size: 5 },
  matched: { type: 'circle', size: 5 },
  unmatched: { type: 'ring', size: 6 },
}

export class Scene {
  readonly #sigma: Sigma<Node, Edge>
  #colours: SceneColours
  #chosen: string | null = null
  #beside: ReadonlySet<string> = new Set()
  /** Those beside the chosen vertex whose names have room. */
  #named: ReadonlySet<string> = new Set()

  constructor(container: HTMLElement, colours: SceneColours, events: SceneEvents) {
    this.#colours = colours
    this.#sigma = new Sigma<Node, Edge>(new Graph<Node, Edge>({ type: 'undirected' }), container, {
      nodeProgramClasses: { circle: NodeCircleProgram, diamond: DiamondProgram, ring: RingProgram },
      edgeProgramClasses: { line: EdgeRectangleProgram },
      defaultEdgeType: 'line',
      zIndex: true,
      stagePadding: 32,
      labelSize: 12,
      labelFont: 'system-ui, sans-serif',
      labelDensity: 0.6,
      labelRenderedSizeThreshold: 6,
      minCameraRatio: 0.02,
      maxCameraRatio: 4,
      // Nearer, vertices move apart and stay as large.
      zoomToSizeRatioFunction: () => 1,
      // The camera jumps where the page asks it to: no motion that somebody asked to be spared.
      zoomDuration: 0,
      doubleClickZoomingDuration: 0,
      inertiaDuration: 0,
      allowInvalidContainer: true,
      defaultDrawNodeHover: (context, vertex) => this.#drawHover(context, vertex),
      nodeReducer: (node, attributes) => this.#nodeNow(node, attributes),
      edgeReducer: (edge, attributes) => this.#edgeNow(edge, attributes),
    })
    this.#listen(events)
    this.#sigma.getCamera().on('updated', () => {
      if (this.#chosen !== null) this.#nameNeighbours()
    })
    this.recolour(colours)
  }

  show(shown: Neighbourhood, places: Places, kind: ResultKind): void {
    const graph = new Graph<Node, Edge>({ type: 'undirected' })
    for (const vertex of shown.vertices) {
      const mark = markOf(vertex, kind)
      const { type, size } = shapes[mark]
      const middle = vertex.hop === 0
      graph.addNode(String(vertex.id), {
        ...(places.get(vertex.id) ?? { x: 0, y: 0 }),
        label: nameOf(vertex),
        type,
        size: sizeOf(size, vertex.degree, shown.vertices.length) + (middle ? 3 : 0),
        color: vertex.value === null ? this.#colourOf(mark) : colourOfValue(vertex.value.number),
        zIndex: mark === 'member' ? 1 : 0,
        forceLabel: middle,
      })
    }
    const edge = veiled(this.#colours.edge, edgeShare(shown.edges.length))
    for (const { source, target, matched } of shown.edges) {
      if (source === target || graph.hasEdge(String(source), String(target))) continue
      graph.addEdge(String(source), String(target), {
        size: matched ? 4 : 1,
        color: matched ? this.#colours.matched : edge,
        zIndex: matched ? 1 : 0,
        matched,
      })
    }
    // Sigma would keep the ring of a vertex that the new graph has not.
    if (this.#chosen !== null) this.choose(null)
    this.#sigma.setGraph(graph)
    this.fit()
  }

  /** Marks a vertex with its neighbours, and brings it into sight. */
  choose(id: number | null): void {
    const graph = this.#sigma.getGraph()
    this.#chosen = id !== null && graph.hasNode(String(id)) ? String(id) : null
    this.#beside = new Set(this.#chosen === null ? [] : graph.neighbors(this.#chosen))
    this.#nameNeighbours()
    if (this.#chosen !== null) this.#bringIntoSight(this.#chosen)
  }

  recolour(colours: SceneColours): void {
    this.#colours = colours
    this.#sigma.setSetting('labelColor', { color: colours.text })
  }

  zoom(factor: number): void {
    const camera = this.#sigma.getCamera()
    camera.setState({ ratio: camera.getBoundedRatio(camera.ratio / factor) })
  }

  /** By parts of what is in sight: 1 is a whole width. */
  pan(across: number, down: number): void {
    const camera = this.#sigma.getCamera()
    camera.setState({ x: camera.x + across * camera.ratio, y: camera.y - down * camera.ratio })
  }

  fit(): void {
    this.#sigma.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 })
  }

  resize(): void {
    this.#sigma.resize()
    this.#sigma.refresh({ skipIndexation: true })
  }

  kill(): void {
    this.#sigma.kill()
  }

  #listen(events: SceneEvents): void {
    let clicked: string | null = null
    const choose = (node: string | null): void => {
      clicked = node
      events.choose(node === null ? null : Number(node))
    }
    this.#sigma.on('clickNode', ({ node }) => choose(node))
    this.#sigma.on('clickStage', () => choose(null))
    // Two quick clicks are one double click to Sigma wherever they are; here only those on one vertex, or beside all of them.
    this.#sigma.on('doubleClickNode', ({ node, preventSigmaDefault }) => {
      preventSigmaDefault()
      if (node === clicked) events.enter(Number(node))
      else choose(node)
    })
    this.#sigma.on('doubleClickStage', ({ preventSigmaDefault }) => {
      if (clicked !== null) preventSigmaDefault()
      choose(null)
    })
    // Sigma takes a vertex for hovered until the pointer moves elsewhere within the drawing, and would keep its ring.
    this.#sigma.on('leaveStage', ({ event }) => {
      const { original } = event
      if (!(original instanceof MouseEvent)) return
      const outside = { x: -1, y: -1, sigmaDefaultPrevented: false, preventSigmaDefault: () => {}, original }
      this.#sigma.getMouseCaptor().emit('mousemove', outside)
    })
  }

  /** The chosen vertex first, then members of the result, then the others. */
  #nameNeighbours(): void {
    const graph = this.#sigma.getGraph()
    const near = this.#chosen === null ? [] : [this.#chosen, ...this.#beside]
    const places = near.map((id) => {
      const { x, y, label, zIndex } = graph.getNodeAttributes(id)
      return { id, name: label, first: id === this.#chosen ? 2 : zIndex, ...this.#sigma.graphToViewport({ x, y }) }
    })
    this.#named = legibleNames(places.toSorted((a, b) => b.first - a.first))
    this.#sigma.refresh({ skipIndexation: true })
  }

  #bringIntoSight(node: string): void {
    const display = this.#sigma.getNodeDisplayData(node)
    if (display === undefined) return
    const { x, y } = this.#sigma.framedGraphToViewport(display)
    const { width, height } = this.#sigma.getDimensions()
    const margin = 24
    const inSight = x > margin && y > margin && x < width - margin && y < height - margin
    if (!inSight) this.#sigma.getCamera().setState({ x: display.x, y: display.y })
  }

  #colourOf(mark: Mark): string {
    return mark === 'unmatched' ? this.#colours.out : this.#colours[mark]
  }

  #nodeNow(node: string, attributes: Node): Partial<Node> & { highlighted?: boolean } {
    if (node === this.#chosen) return { ...attributes, highlighted: true, forceLabel: true, zIndex: 3 }
    if (this.#chosen === null) return attributes
    const named = this.#named.has(node)
    const seen = named ? attributes : { ...attributes, label: '', forceLabel: false }
    return this.#beside.has(node) ? { ...seen, forceLabel: named, zIndex: 2 } : seen
  }

  #edgeNow(edge: string, attributes: Edge): Partial<Edge> {
    if (this.#chosen === null || !this.#sigma.getGraph().hasExtremity(edge, this.#chosen)) return attributes
    return {
      ...attributes,
      zIndex: 2,
      size: attributes.size + 1,
      color: attributes.matched ? attributes.color : this.#colours.focus,
    }
  }

  #drawHover(
    context: CanvasRenderingContext2D,
    vertex: { readonly x: number; readonly y: number; readonly size: number; readonly label: string | null },
  ): void {
    const { text, ground, focus } = this.#colours
    context.beginPath()
    context.arc(vertex.x, vertex.y, vertex.size + 3, 0, 2 * Math.PI)
    context.lineWidth = 2
    context.strokeStyle = focus
    context.stroke()
    if (vertex.label === null) return
    context.font = '600 12px system-ui, sans-serif'
    const left = vertex.x + vertex.size + 8
    context.fillStyle = ground
    context.fillRect(left - 4, vertex.y - 10, context.measureText(vertex.label).width + 8, 20)
    context.fillStyle = text
    context.fillText(vertex.label, left, vertex.y + 4)
  }
}
