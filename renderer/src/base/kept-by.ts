/** A function of objects that do not change, each asked once: pages with hundreds of runs ask for every chart and column. */
export function keptBy<K extends object, V>(of: (key: K) => V): (key: K) => V {
  const kept = new WeakMap<K, { readonly value: V }>()
  return (key) => {
    const known = kept.get(key) ?? { value: of(key) }
    kept.set(key, known)
    return known.value
  }
}
