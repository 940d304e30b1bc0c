/** Characters of a block. */
const size = 262_144

/** The same text in fewer and larger pieces: each one that is written or compressed has a cost of its own. */
export function* inBlocks(pieces: Iterable<string>): Generator<string> {
  let block = ''
  for (const piece of pieces) {
    block += piece
    if (block.length < size) continue
    yield block
    block = ''
  }
  if (block !== '') yield block
}
