/** By task, objects of this thread's last one. */
const kept = new Map<string, readonly object[]>()

/**
 * Keeps objects until the thread does the same again. V8 throws away the code that it compiled for the objects of a class once none is left
 * and garbage is collected, since the shape of them goes: then the next run begins with slow code, in every thread.
 * @param objects one of each class, as it was used; what takes memory it has let go of
 */
export function keepCodeOf(task: string, objects: readonly object[]): void {
  kept.set(task, objects)
}
