import Graph from 'graphology'
import Sigma from 'sigma'
import { veiled } from '../theme/theme.ts'
import type { Coast } from './coast.ts'
import { drawName, drawnName, drawRing, legibleNames, type DrawnVertex } from './draw-names.ts'
import type { Area } from './overview.ts'
import { drawBar, LandLayer, scaleBar, type MapFrame, type Outline, type ScaleBar } from './map-ground.ts'
import { Movement } from './movement.ts'
import { programsOf, type SceneEdge as Edge, type SceneNode as Node } from './node-shapes.ts'
import type { Projection } from './projection.ts'
import { edgeShare, lookOf, type SceneColours, type Shape, type Shown } from './shown.ts'
import type { Picture } from './picture.ts'
import { listenToScene, type SceneEvents } from './scene-events.ts'

const MOST_NAMED = 40
/** The most edges that are drawn faintly; of more, only those that hold groups together are: all of them would be one area. */
const MOST_FAINT = 25_000
/** The edges a vertex that are drawn of so many, those that hold groups together most: zoomed in, fewer vertices have the others. */
const MOST_CLEAR = 1.5

/** What sigma asks itself at each movement of the pointer and turn of the wheel. */
interface Pointing {
  getNodeAtPosition: (at: { readonly x: number; readonly y: number }) => string | null
}

export class Scene {
  readonly #sigma: Sigma<Node, Edge>
  #colours: SceneColours
  #chosen: string | null = null
  #selected: ReadonlySet<string> = new Set()
  #beside: ReadonlySet<string> = new Set()
  #named: ReadonlySet<string> = new Set()
  readonly #move: SceneEvents['move']
  #map: Projection | undefined
  #coast: Coast | null = null
  readonly #land = new LandLayer()
  #isGone = false
  #isPointed = false
  readonly #movement = new Movement(() => this.#showLayers())

  constructor(container: HTMLElement, colours: SceneColours, events: SceneEvents) {
    this.#colours = colours
    const programs = programsOf(this.#movement)
    this.#sigma = new Sigma<Node, Edge>(new Graph<Node, Edge>({ type: 'undirected' }), container, {
      nodeProgramClasses: programs.nodes,
      edgeProgramClasses: programs.edges,
      defaultEdgeType: 'line',
      zIndex: true,
      stagePadding: 32,
      labelSize: 12,
      labelFont: 'system-ui, sans-serif',
      // Names are chosen here.
      labelRenderedSizeThreshold: Infinity,
      minCameraRatio: 0.002,
      maxCameraRatio: 4,
      // Nearer, vertices move apart and stay as large.
      zoomToSizeRatioFunction: () => 1,
      // The camera jumps where the page asks it to: reduced motion has no exceptions.
      zoomDuration: 0,
      doubleClickZoomingDuration: 0,
      inertiaDuration: 0,
      allowInvalidContainer: true,
      defaultDrawNodeLabel: (context, vertex) =>
        drawName(context, { ...vertex, label: vertex.label ?? null }, this.#style()),
      defaultDrawNodeHover: (context, vertex) => this.#drawHover(context, vertex),
      nodeReducer: (node, attributes) => this.#nodeNow(node, attributes),
      edgeReducer: (edge, attributes) => this.#edgeNow(edge, attributes),
    })
    // Nothing is drawn to be pointed at while the sight moves, and to read that back would wait for the frame.
    const pointing = this.#sigma as unknown as Pointing
    const nodeAt = pointing.getNodeAtPosition.bind(this.#sigma)
    pointing.getNodeAtPosition = (at) => (this.#movement.isMoving ? null : nodeAt(at))
    const sight = (area: Area): void => {
      this.#giveNames()
      events.sight(area)
    }
    this.#move = events.move
    // First of all: what comes to rest is drawn whole.
    this.#sigma.getCamera().on('updated', () => this.#movement.step())
    // The places of a map are not a person's to give.
    listenToScene(
      this.#sigma,
      { ...events, sight },
      { inSight: () => this.#inSight(), canMove: () => this.#map === undefined },
    )
    container.append(this.#land.canvas)
    this.#sigma.on('afterRender', () => this.#drawMap())
    this.#sigma.on('enterNode', () => this.#point(true))
    this.#sigma.on('leaveNode', () => this.#point(false))
    this.#showLayers()
    this.recolour(colours)
  }

  /** @param extent of what may be shown later without a new sight; absent: of what is shown now, all of which is brought into sight */
  show(
    shown: Shown,
    { extent, stays = false }: { readonly extent?: Area | undefined; readonly stays?: boolean } = {},
  ): void {
    const graph = new Graph<Node, Edge>({ type: 'undirected' })
    for (const vertex of shown.vertices) {
      const { type, size, colour } = lookOf(vertex, this.#colours, shown.vertices.length)
      graph.addNode(String(vertex.key), {
        ...(shown.places.get(vertex.key) ?? { x: 0, y: 0 }),
        label: drawnName(vertex.name ?? vertex.label),
        type,
        size: size + (vertex.hop === 0 ? 3 : 0),
        color: colour,
        zIndex: vertex.mark === 'out' || vertex.mark === 'neither' ? 0 : 1,
        rank: vertex.hop === 0 ? Infinity : vertex.size > 1 ? vertex.size * vertex.degree : vertex.degree,
      })
    }
    this.#addEdges(graph, shown)
    // Sigma would keep the ring of a vertex that the new graph has not.
    if (this.#chosen !== null && !graph.hasNode(this.#chosen)) this.choose(null)
    this.#sigma.setCustomBBox(
      extent === undefined ? null : { x: [extent.left, extent.right], y: [extent.top, extent.bottom] },
    )
    this.#setMap(shown.map)
    this.#sigma.setGraph(graph)
    if (!stays) {
      this.#movement.forget()
      this.fit()
    }
    this.choose(this.#chosen === null ? null : Number(this.#chosen), false)
  }

  #point(isPointed: boolean): void {
    this.#isPointed = isPointed
    this.#showLayers()
  }

  /** Layers with nothing on them are not shown: without a GPU each takes as long as all vertices do. */
  #showLayers(): void {
    const hasRings = this.#isPointed || this.#chosen !== null || this.#selected.size > 0
    const layers = {
      edgeLabels: false,
      edges: this.#movement.mostEdges > 0,
      labels: this.#movement.hasNames,
      hovers: hasRings,
      hoverNodes: hasRings,
      land: this.#isEarth,
    }
    const canvases: Readonly<Record<string, HTMLCanvasElement>> = {
      ...this.#sigma.getCanvases(),
      land: this.#land.canvas,
    }
    for (const [name, isShown] of Object.entries(layers)) canvases[name]!.style.display = isShown ? '' : 'none'
  }

  #addEdges(graph: Graph<Node, Edge>, { edges }: Shown): void {
    const strong = edges.reduce((count, edge) => count + Number(edge.strong), 0)
    const share = edgeShare(strong)
    const [clear, faint] = [
      veiled(this.#colours.edge, share),
      veiled(this.#colours.edge, Math.min(0.3 * share, Math.max(0.03, edgeShare(edges.length) ** 2))),
    ]
    let room = edges.length > MOST_FAINT ? MOST_CLEAR * graph.order : Infinity
    for (const { source, target, matched, strong: isStrong } of edges) {
      if (!isStrong && !matched && edges.length > MOST_FAINT) continue
      if (!matched && --room < 0) continue
      if (source === target || graph.hasEdge(String(source), String(target))) continue
      graph.addEdge(String(source), String(target), {
        size: matched ? 4 : 1,
        color: matched ? this.#colours.matched : isStrong ? clear : faint,
        zIndex: matched ? 1 : 0,
        matched,
      })
    }
  }

  choose(key: number | null, isSought = true): void {
    const graph = this.#sigma.getGraph()
    this.#chosen = key !== null && graph.hasNode(String(key)) ? String(key) : null
    this.#beside = new Set(this.#chosen === null ? [] : graph.neighbors(this.#chosen))
    this.#showLayers()
    this.#giveNames()
    if (this.#chosen !== null && isSought) this.#bringIntoSight(this.#chosen)
  }

  select(keys: ReadonlySet<number>): void {
    this.#selected = new Set([...keys].map(String))
    this.#showLayers()
    this.#sigma.refresh({ skipIndexation: true })
  }

  recolour(colours: SceneColours): void {
    this.#colours = colours
    this.#sigma.setSetting('labelColor', { color: colours.text })
  }

  zoom(factor: number): void {
    const camera = this.#sigma.getCamera()
    camera.setState({ ratio: camera.getBoundedRatio(camera.ratio / factor) })
  }

  /** Moves by parts of what is in sight: 1 is a whole width. */
  pan(across: number, down: number): void {
    const camera = this.#sigma.getCamera()
    camera.setState({ x: camera.x + across * camera.ratio, y: camera.y - down * camera.ratio })
  }

  /** Moves a vertex by parts of what is in sight. */
  step(key: number, across: number, down: number): void {
    const graph = this.#sigma.getGraph()
    if (this.#map !== undefined || !graph.hasNode(String(key))) return
    const { x, y } = graph.getNodeAttributes(String(key))
    const { left, right, top, bottom } = this.#inSight()
    this.#move(key, { x: x + across * (right - left), y: y - down * (bottom - top) })
  }

  fit(): void {
    this.#sigma.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 })
  }

  resize(): void {
    this.#sigma.resize()
    this.#sigma.refresh({ skipIndexation: true })
  }

  within({ left, right, top, bottom }: Area): readonly number[] {
    return this.#sigma
      .getGraph()
      .filterNodes((_, { x, y }) => {
        const at = this.#sigma.graphToViewport({ x, y })
        return at.x >= left && at.x <= right && at.y >= top && at.y <= bottom
      })
      .map(Number)
  }

  picture(): Picture {
    const { width, height } = this.#sigma.getDimensions()
    const graph = this.#sigma.getGraph()
    const named = this.#sigma.getNodeDisplayedLabels()
    const nodes = graph.mapNodes((node, { x, y }) => {
      const { color, size, label, type, zIndex } = this.#sigma.getNodeDisplayData(node)!
      const isNamed = named.has(node) || node === this.#chosen
      return {
        node,
        ...this.#sigma.graphToViewport({ x, y }),
        size,
        type: type as Shape,
        zIndex,
        colour: color,
        name: isNamed ? (label ?? '') : '',
      }
    })
    const places = new Map(nodes.map((one) => [one.node, one]))
    const edges = graph.mapEdges((edge, _, source, target) => {
      const { color, size } = this.#sigma.getEdgeDisplayData(edge)!
      return { from: places.get(source)!, to: places.get(target)!, size, colour: color }
    })
    const { ground, text, land } = this.#colours
    const outlines = this.#outlines()
    const map = this.#isEarth ? { land, outlines, bar: this.#bar() } : null
    return { width, height, ground, text, nodes, edges, map }
  }

  get #isEarth(): boolean {
    return this.#map?.isGeographic === true
  }

  #setMap(map: Projection | undefined): void {
    this.#map = map
    this.#showLayers()
    if (!this.#isEarth || this.#coast !== null) return
    void import('./coast.ts').then(async ({ readCoast }) => {
      this.#coast = await readCoast()
      if (!this.#isGone) this.#sigma.refresh({ skipIndexation: true })
    })
  }

  /** Degrees of longitude and latitude as pixels. */
  #frame(): MapFrame {
    const [zero, one] = [this.#sigma.graphToViewport({ x: 0, y: 0 }), this.#sigma.graphToViewport({ x: 1, y: 1 })]
    const { narrow, centre } = this.#map!
    const { width, height } = this.#sigma.getDimensions()
    return { left: zero.x, top: zero.y, across: (one.x - zero.x) * narrow, down: one.y - zero.y, centre, width, height }
  }

  #outlines(): readonly Outline[] {
    return this.#coast === null || !this.#isEarth ? [] : this.#coast.outlines(this.#frame())
  }

  #bar(): ScaleBar | null {
    return scaleBar(Math.abs(this.#frame().down))
  }

  #drawMap(): void {
    if (!this.#isEarth) return
    const { land, text } = this.#colours
    if (this.#coast !== null)
      this.#land.show(this.#frame(), (frame) => this.#coast!.outlines(frame), land, this.#movement.isMoving)
    const context = this.#sigma.getCanvases()['labels']!.getContext('2d')!
    drawBar(context, this.#bar(), { text, height: this.#sigma.getDimensions().height })
  }

  kill(): void {
    this.#isGone = true
    this.#movement.end()
    this.#sigma.kill()
  }

  #inSight(): Area {
    const { width, height } = this.#sigma.getDimensions()
    const [a, b] = [this.#sigma.viewportToGraph({ x: 0, y: 0 }), this.#sigma.viewportToGraph({ x: width, y: height })]
    return { left: Math.min(a.x, b.x), right: Math.max(a.x, b.x), top: Math.min(a.y, b.y), bottom: Math.max(a.y, b.y) }
  }

  /**
   * Names that have room: of the chosen vertex, its neighbours, those in the result first; else of what is in sight, the largest
   * first.
   */
  #giveNames(): void {
    const graph = this.#sigma.getGraph()
    const { width, height } = this.#sigma.getDimensions()
    const near = this.#chosen === null ? graph.nodes() : [this.#chosen, ...this.#beside]
    const places = near.flatMap((id) => {
      const { x, y, label, zIndex, rank } = graph.getNodeAttributes(id)
      const at = this.#sigma.graphToViewport({ x, y })
      const isSeen = at.x >= 0 && at.y >= 0 && at.x <= width && at.y <= height
      const first = id === this.#chosen ? Infinity : (this.#chosen === null ? 0 : zIndex * 2 ** 40) + rank
      return isSeen ? [{ id, name: label, first, ...at }] : []
    })
    const ranked = places.toSorted((a, b) => b.first - a.first)
    this.#named = legibleNames(ranked, width, this.#chosen === null ? MOST_NAMED : undefined)
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

  #nodeNow(node: string, attributes: Node): Partial<Node> & { highlighted?: boolean; forceLabel: boolean } {
    if (node === this.#chosen) return { ...attributes, highlighted: true, forceLabel: true, zIndex: 3 }
    const forceLabel = this.#named.has(node)
    const seen = { ...attributes, forceLabel, label: forceLabel ? attributes.label : '' }
    if (this.#selected.has(node)) return { ...seen, highlighted: true, zIndex: 2 }
    return this.#beside.has(node) ? { ...seen, zIndex: 2 } : seen
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

  #drawHover(context: CanvasRenderingContext2D, vertex: DrawnVertex & { readonly key?: string }): void {
    // Many that are selected would hide each other's names.
    const isOneOfMany = this.#selected.size > 1 && this.#selected.has(vertex.key ?? '') && vertex.key !== this.#chosen
    drawRing(context, vertex, this.#style(), !isOneOfMany)
  }

  #style() {
    return { ...this.#colours, width: this.#sigma.getDimensions().width }
  }
}
