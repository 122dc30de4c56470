// By its default export: Node runs this file as it is, too (test/scripts).
import manifest from '../../package.json' with { type: 'json' }
import type { RunRecord } from '../contract/run.ts'

const { dependencies, version } = manifest

/** The versions that a run record names; `webgpu` is pinned exactly, so the manifest's word is the installed one. */
export function versions(): RunRecord['versions'] {
  return { anticlique: version, node: process.versions.node, webgpu: dependencies.webgpu }
}
