import { EdgeRectangleProgram, NodeCircleProgram } from 'sigma/rendering'
import type { Movement } from './movement.ts'

export interface SceneNode {
  readonly x: number
  readonly y: number
  readonly label: string
  readonly size: number
  readonly color: string
  readonly type: string
  readonly zIndex: number
  /** Those of the highest are named first. */
  readonly rank: number
}

export interface SceneEdge {
  readonly size: number
  readonly color: string
  readonly zIndex: number
  readonly matched: boolean
}

/**
 * Shapes of vertices. Sigma draws a triangle around each vertex and cuts the disc out of it in the fragment shader; these cut
 * other shapes, from the same two varyings: the way from the middle, and the radius.
 */
const fragmentShader = (distance: string): string => `
precision highp float;
varying vec4 v_color;
varying vec2 v_diffVector;
varying float v_radius;
uniform float u_correctionRatio;

void main(void) {
  float border = u_correctionRatio * 2.0;
  float distance = ${distance} + border;
  #ifdef PICKING_MODE
  gl_FragColor = length(v_diffVector) > v_radius ? vec4(0.0) : v_color;
  #else
  gl_FragColor = mix(v_color, vec4(0.0), clamp(distance / border, 0.0, 1.0));
  #endif
}`

type Program = NodeCircleProgram<SceneNode, SceneEdge> | EdgeRectangleProgram<SceneNode, SceneEdge>
type Params = Parameters<Program['render']>[0]

/** Sigma draws each vertex and edge as an instance of two triangles, and a GPU in software takes every instance for a call of its own. Plain triangles are one call. */
function becomePlain(program: Program): void {
  program.isInstanced = false
  program.ATTRIBUTES = [...program.ATTRIBUTES, ...program.CONSTANT_ATTRIBUTES]
  program.ATTRIBUTES_ITEMS_COUNT += program.CONSTANT_DATA[0]!.length
  program.STRIDE = program.VERTICES * program.ATTRIBUTES_ITEMS_COUNT
}

/** What was written of an item is written for each corner of its triangles. */
function repeat({ array, CONSTANT_DATA: corners, ATTRIBUTES_ITEMS_COUNT: count }: Program, start: number): void {
  const own = count - corners[0]!.length
  for (let corner = corners.length - 1; corner >= 0; corner--) {
    const at = start + corner * count
    array.copyWithin(at, start, start + own)
    corners[corner]!.forEach((value, i) => (array[at + own + i] = value))
  }
}

/** The programs that draw a scene; in a movement they draw for the eye alone, not for what is under the pointer. */
export function programsOf(movement: Movement) {
  const shape = (distance: string | null) =>
    class extends NodeCircleProgram<SceneNode, SceneEdge> {
      constructor(...args: ConstructorParameters<typeof NodeCircleProgram<SceneNode, SceneEdge>>) {
        super(...args)
        becomePlain(this)
      }

      override getDefinition(): ReturnType<NodeCircleProgram['getDefinition']> {
        const definition = super.getDefinition()
        return distance === null ? definition : { ...definition, FRAGMENT_SHADER_SOURCE: fragmentShader(distance) }
      }

      override processVisibleItem(...args: Parameters<NodeCircleProgram['processVisibleItem']>): void {
        super.processVisibleItem(...args)
        repeat(this, args[1])
      }

      override render(params: Params): void {
        const { pickProgram } = this
        if (movement.isMoving) this.pickProgram = null
        super.render(params)
        this.pickProgram = pickProgram
      }
    }
  const line = class extends EdgeRectangleProgram<SceneNode, SceneEdge> {
    constructor(...args: ConstructorParameters<typeof EdgeRectangleProgram<SceneNode, SceneEdge>>) {
      super(...args)
      becomePlain(this)
    }

    override processVisibleItem(...args: Parameters<EdgeRectangleProgram['processVisibleItem']>): void {
      super.processVisibleItem(...args)
      repeat(this, args[1])
    }

    /** Those of the chosen vertex and of pairs are the last. */
    override render(params: Params): void {
      const { array, verticesCount } = this
      this.verticesCount = Math.min(verticesCount, this.VERTICES * movement.mostEdges)
      this.array = array.subarray((verticesCount - this.verticesCount) * this.ATTRIBUTES_ITEMS_COUNT)
      super.render(params)
      Object.assign(this, { array, verticesCount })
    }
  }
  return {
    nodes: {
      circle: shape(null),
      diamond: shape('(abs(v_diffVector.x) + abs(v_diffVector.y)) - v_radius'),
      ring: shape('abs(length(v_diffVector) - 0.72 * v_radius) - 0.28 * v_radius'),
      square: shape('max(abs(v_diffVector.x), abs(v_diffVector.y)) - 0.8 * v_radius'),
    },
    edges: { line },
  }
}
