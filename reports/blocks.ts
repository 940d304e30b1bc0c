/** The minimum length of a block in characters. */
const size = 262_144

/** Joins a text into fewer, larger pieces, because each piece that is written or compressed costs time. */
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
