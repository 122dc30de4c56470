import { importsOf } from './imports.ts'
import type { SourceFile } from './source-files.ts'

/** Files that import each other, directly or through others, types counted: each circle sorted, and the circles too. */
export function importCircles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const imports = new Map(files.map((file) => [file.path, importsOf(file).map(({ target }) => target)]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const circles: string[][] = []

  // Tarjan 1972: a file from which none before it on the path can be reached closes a component.
  const visit = (file: string): void => {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    path.push(file)
    for (const target of imports.get(file) ?? []) {
      if (!imports.has(target)) continue
      if (!order.has(target)) visit(target)
      if (path.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!))
    }
    if (lowest.get(file) !== order.get(file)) return
    const component = path.splice(path.indexOf(file))
    if (component.length > 1) circles.push(component.toSorted())
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return circles.toSorted((a, b) => a[0]!.localeCompare(b[0]!))
}
