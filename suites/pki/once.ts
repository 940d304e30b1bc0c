/** Keeps what was made of an object that never changes: the expectations of a check all look at the same replies, and to
 * read a certificate or to verify a signature takes longer than the rest of judging. */
export function oncePer<K extends object, V>(make: (from: K) => V): (from: K) => V {
  const made = new WeakMap<K, { readonly value: V }>()
  return (from) => {
    const kept = made.get(from) ?? { value: make(from) }
    made.set(from, kept)
    return kept.value
  }
}
