/**
 * Does some work where a Map or a Set of JavaScript holds so many entries and no more: those of V8 end at 2^24, which takes a graph of as many
 * vertices to reach.
 */
export async function withSmallCollections<T>(most: number, work: () => Promise<T>): Promise<T> {
  const [maps, sets] = [Map.prototype, Set.prototype]
  const [{ set }, { add }] = [maps, sets]
  const check = ({ size }: { readonly size: number }): void => {
    if (size >= most) throw new RangeError(`more than ${most} entries`)
  }
  maps.set = function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
    if (!this.has(key)) check(this)
    return set.call(this, key, value)
  }
  sets.add = function (this: Set<unknown>, value: unknown) {
    if (!this.has(value)) check(this)
    return add.call(this, value)
  }
  try {
    return await work()
  } finally {
    Object.assign(maps, { set })
    Object.assign(sets, { add })
  }
}
