import { NodeCircleProgram } from 'sigma/rendering'
import type { Mark } from './shown.ts'

export interface SceneColours {
  readonly text: string
  readonly ground: string
  readonly edge: string
  readonly member: string
  readonly out: string
  readonly plain: string
  readonly matched: string
  readonly first: string
  readonly second: string
  readonly focus: string
}

export const shapes: Readonly<
  Record<Mark, { readonly type: string; readonly size: number; readonly colour: keyof SceneColours }>
> = {
  member: { type: 'diamond', size: 8, colour: 'member' },
  out: { type: 'circle', size: 4, colour: 'out' },
  plain: { type: 'circle', size: 5, colour: 'plain' },
  matched: { type: 'circle', size: 5, colour: 'matched' },
  unmatched: { type: 'ring', size: 6, colour: 'out' },
  both: { type: 'diamond', size: 7, colour: 'member' },
  onlyA: { type: 'square', size: 7, colour: 'first' },
  onlyB: { type: 'ring', size: 8, colour: 'second' },
  neither: { type: 'circle', size: 4, colour: 'out' },
}

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

export class DiamondProgram extends NodeCircleProgram<SceneNode, SceneEdge> {
  override getDefinition(): ReturnType<NodeCircleProgram['getDefinition']> {
    const distance = '(abs(v_diffVector.x) + abs(v_diffVector.y)) - v_radius'
    return { ...super.getDefinition(), FRAGMENT_SHADER_SOURCE: fragmentShader(distance) }
  }
}

export class RingProgram extends NodeCircleProgram<SceneNode, SceneEdge> {
  override getDefinition(): ReturnType<NodeCircleProgram['getDefinition']> {
    const distance = 'abs(length(v_diffVector) - 0.72 * v_radius) - 0.28 * v_radius'
    return { ...super.getDefinition(), FRAGMENT_SHADER_SOURCE: fragmentShader(distance) }
  }
}

export class SquareProgram extends NodeCircleProgram<SceneNode, SceneEdge> {
  override getDefinition(): ReturnType<NodeCircleProgram['getDefinition']> {
    const distance = 'max(abs(v_diffVector.x), abs(v_diffVector.y)) - 0.8 * v_radius'
    return { ...super.getDefinition(), FRAGMENT_SHADER_SOURCE: fragmentShader(distance) }
  }
}
