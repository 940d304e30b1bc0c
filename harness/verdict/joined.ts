/** Joins the items that have a key in common, directly or through others, in the order in which they first appear. */
export function joined<Item>(items: readonly Item[], keysOf: (item: Item) => readonly string[]): readonly Item[][] {
  const parents = new Map<string, string>()
  const rootOf = (key: string): string => {
    let root = key
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root)) root = next
    parents.set(key, root)
    return root
  }
  for (const item of items) {
    const [first, ...others] = keysOf(item).map(rootOf)
    if (first !== undefined) for (const key of others) parents.set(rootOf(key), rootOf(first))
  }
  return [...Map.groupBy(items, (item) => rootOf(keysOf(item)[0] ?? '')).values()]
}
