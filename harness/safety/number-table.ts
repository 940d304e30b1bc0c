const none = -1
const firstRows = 1 << 9

/** A table of numbers, whose rows are found by a hash. There are hundreds of thousands of rows, and as objects they would
 * fill most of the run's memory. */
export class NumberTable {
  readonly #width: number
  #rows: Int32Array
  #count = 0
  /** The newest row of each bucket, or `none`. */
  #newest = new Int32Array(firstRows).fill(none)

  constructor(columns: number) {
    // Each row also has its hash and the next row in the same bucket.
    this.#width = columns + 2
    this.#rows = new Int32Array(firstRows * this.#width)
  }

  add(hash: number, ...values: readonly number[]): void {
    if (this.#count === this.#newest.length) this.#grow()
    const row = this.#count++ * this.#width
    this.#rows[row] = hash
    this.#rows.set(values, row + 2)
    this.#chain(row)
  }

  /** Returns the newest row in the bucket of a hash, which may have another hash; undefined if there is none. */
  first(hash: number): number | undefined {
    return rowOf(this.#newest[this.#bucket(hash)])
  }

  next(row: number): number | undefined {
    return rowOf(this.#rows[row + 1])
  }

  hash(row: number): number {
    return this.#rows[row] ?? 0
  }

  value(row: number, column: number): number {
    return this.#rows[row + 2 + column] ?? 0
  }

  #bucket(hash: number): number {
    return (Math.imul(hash, 0x9e3779b1) >>> 7) & (this.#newest.length - 1)
  }

  #chain(row: number): void {
    const bucket = this.#bucket(this.hash(row))
    this.#rows[row + 1] = this.#newest[bucket] ?? none
    this.#newest[bucket] = row
  }

  #grow(): void {
    const rows = new Int32Array(this.#rows.length * 2)
    rows.set(this.#rows)
    this.#rows = rows
    this.#newest = new Int32Array(this.#newest.length * 2).fill(none)
    for (let one = 0; one < this.#count; one++) this.#chain(one * this.#width)
  }
}

const rowOf = (row: number | undefined): number | undefined => (row === none ? undefined : row)
