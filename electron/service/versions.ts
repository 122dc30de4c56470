import { dependencies, version } from '../../package.json'
import type { RunRecord } from '../contract/run.ts'

/** The versions that a run record names; `webgpu` is pinned exactly, so the manifest's word is the installed one. */
export function versions(): RunRecord['versions'] {
  return { anticlique: version, node: process.versions.node, webgpu: dependencies.webgpu }
}
