import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string
  readonly text: string
}

export const productFolders = ['electron', 'renderer', 'workers', 'kernels'] as const

/** All files under the named folders whose names end in one of `endings`. */
export function sourceFiles(folders: readonly string[], endings: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => ({ path: relative(root, file).split(sep).join('/'), text: readFileSync(file, 'utf8') })),
  )
}

/** Texts by their paths: the repository, or one with a planted fault. */
export type Tree = ReadonlyMap<string, string>

const folders = [...productFolders, 'bench', 'docs', 'resources', 'test']
const texts = ['.ts', '.mts', '.mjs', '.vue', '.wgsl', '.md', '.html', '.css', '.json']

/** Every file that is there, with the text of those that people write. */
export function readTree(): Tree {
  const tree = new Map<string, string>()
  const add = (path: string): void =>
    void tree.set(path, texts.some((ending) => path.endsWith(ending)) ? readFileSync(join(root, path), 'utf8') : '')
  for (const entry of readdirSync(root, { withFileTypes: true })) if (entry.isFile()) add(entry.name)
  for (const folder of folders)
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) add(relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
  return tree
}

/** The files of a tree under the named folders whose names end in one of `endings`. */
export function filesOf(tree: Tree, folders: readonly string[], endings: readonly string[]): readonly SourceFile[] {
  return [...tree]
    .filter(([path]) => folders.some((folder) => path.startsWith(`${folder}/`)))
    .filter(([path]) => endings.some((ending) => path.endsWith(ending)))
    .map(([path, text]) => ({ path, text }))
}
