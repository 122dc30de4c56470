import { posix } from 'node:path'
import type { SourceFile } from './source-files.ts'

export interface Import {
  /** A path from the root of the repository, or the name of a package ("node:fs" counts as "node:"). */
  readonly target: string
  readonly typeOnly: boolean
}

const statement = /^\s*(?:import|export)\s+(?<type>type\s)?(?:[^'";]*?\sfrom\s+)?['"](?<name>[^'"]+)['"]/gm
const dynamic = /\bimport\(\s*['"](?<name>[^'"]+)['"]\s*\)/g

/** Everything that a TypeScript, JavaScript or Vue file imports. */
export function importsOf({ path, text }: SourceFile): readonly Import[] {
  const found = [...text.matchAll(statement), ...text.matchAll(dynamic)]
  return found.map(({ groups }) => ({
    target: targetOf(path, groups?.['name'] ?? ''),
    typeOnly: groups?.['type'] !== undefined,
  }))
}

function targetOf(path: string, name: string): string {
  const [bare = ''] = name.split('?')
  if (bare.startsWith('.')) return posix.join(posix.dirname(path), bare)
  if (bare.startsWith('node:')) return 'node:'
  return bare
    .split('/')
    .slice(0, bare.startsWith('@') ? 2 : 1)
    .join('/')
}
