/** Caches what `make` returns for each object, which must never change. All expectations of a check look at the same
 * replies, and reading a certificate or verifying a signature takes longer than the rest of judging. */
export function oncePer<K extends object, V>(make: (from: K) => V): (from: K) => V {
  const made = new WeakMap<K, { readonly value: V }>()
  return (from) => {
    const kept = made.get(from) ?? { value: make(from) }
    made.set(from, kept)
    return kept.value
  }
}
