import type { Tree } from './source-files.ts'

/** What must hold in the whole repository. */
export interface Rule {
  readonly name: string
  /** A sentence for each place where it does not hold. */
  readonly broken: (tree: Tree) => readonly string[]
  /** Changes that break it: the new texts of files, null for one that goes. */
  readonly faults: readonly Fault[]
}

export interface Fault {
  readonly plant: (tree: Tree) => Readonly<Record<string, string | null>>
  /** What the only sentence has to say. */
  readonly says: string
}

/** A file that must not be there. */
export const file = (path: string, text: string, says: string): Fault => ({ plant: () => ({ [path]: text }), says })

/** Words of a file that must not be others. @throws Error where the file has no such words */
export const edit = (path: string, from: string, to: string, says: string): Fault => ({
  plant: (tree) => {
    const text = tree.get(path) ?? ''
    if (!text.includes(from)) throw new Error(`${path} has no '${from}' to change.`)
    return { [path]: text.replace(from, () => to) }
  },
  says,
})

export function planted(tree: Tree, { plant }: Fault): Tree {
  const changed = new Map(tree)
  for (const [path, text] of Object.entries(plant(tree)))
    if (text === null) changed.delete(path)
    else changed.set(path, text)
  return changed
}

/** Sentences for the keys of which more is found than a list allows. The numbers of such a list may only shrink. */
export function beyond(
  found: ReadonlyMap<string, readonly string[]>,
  allowed: Readonly<Record<string, number>>,
  advice: string,
): readonly string[] {
  return [...found]
    .filter(([key, places]) => places.length > (allowed[key] ?? 0))
    .map(
      ([key, places]) =>
        `${key} has ${places.length}, of ${allowed[key] ?? 0} allowed: ${places.join(', ')}. ${advice}`,
    )
}

/** The places of each key, in order. */
export function grouped(
  places: Iterable<readonly [key: string, place: string]>,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const [key, place] of places) groups.set(key, [...(groups.get(key) ?? []), place])
  return groups
}

/** The folder that a count is kept for, of two names at most: files move and merge within it. */
export const placeOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/')
