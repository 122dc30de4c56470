// By its default export: Node runs this file unbundled, too (test/scripts).
import manifest from '../../package.json' with { type: 'json' }
import type { RunRecord } from '../contract/run.ts'

const { dependencies, version } = manifest

/** `webgpu` is pinned exactly. */
export function versions(): RunRecord['versions'] {
  return { anticlique: version, node: process.versions.node, webgpu: dependencies.webgpu }
}
