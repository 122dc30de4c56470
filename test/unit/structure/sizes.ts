import ts from 'typescript'
import type { SourceFile } from './source-files.ts'
import { importsOf } from './imports.ts'

/** Lines of text, the last one without its end of line. */
export const linesOf = (text: string): number => text.trimEnd().split('\n').length

interface FunctionSize {
  readonly name: string
  readonly line: number
  readonly lines: number
}

/** The functions of each text that was parsed before. */
const parsed = new Map<string, readonly FunctionSize[]>()

/** Functions, methods and accessors with the lines from their first to their last; those within others count as well. */
export function functionsOf({ path, text }: SourceFile): readonly FunctionSize[] {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: FunctionSize[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const first = source.getLineAndCharacterOfPosition(node.getStart()).line
      const last = source.getLineAndCharacterOfPosition(node.getEnd()).line
      found.push({ name: node.name?.getText() ?? 'a function', line: first + 1, lines: last - first + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  parsed.set(text, found)
  return found
}

/** Files that one other imports and that have few lines: an idea cut in two. */
export function fragmentsOf(files: readonly SourceFile[], mostLines: number): readonly string[] {
  const importers = new Map<string, Set<string>>()
  for (const file of files)
    for (const { target } of importsOf(file)) importers.set(target, (importers.get(target) ?? new Set()).add(file.path))
  return files
    .filter(({ path, text }) => importers.get(path)?.size === 1 && linesOf(text) < mostLines)
    .map(({ path }) => path)
}
