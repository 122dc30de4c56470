import { NodeCircleProgram } from 'sigma/rendering'

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

const shape = (distance: string) =>
  class extends NodeCircleProgram<SceneNode, SceneEdge> {
    override getDefinition(): ReturnType<NodeCircleProgram['getDefinition']> {
      return { ...super.getDefinition(), FRAGMENT_SHADER_SOURCE: fragmentShader(distance) }
    }
  }

export const nodePrograms = {
  circle: NodeCircleProgram<SceneNode, SceneEdge>,
  diamond: shape('(abs(v_diffVector.x) + abs(v_diffVector.y)) - v_radius'),
  ring: shape('abs(length(v_diffVector) - 0.72 * v_radius) - 0.28 * v_radius'),
  square: shape('max(abs(v_diffVector.x), abs(v_diffVector.y)) - 0.8 * v_radius'),
}
