/** Tests that take a sample in `npm test`, and everything if `ASSAY_TRIALS` is set, as `npm run prove` does. */

export const isWhole = process.env.ASSAY_TRIALS !== undefined

/** Returns one of `every` items, beginning with the one at `first`, or all of them. */
export const sampled = <T>(all: readonly T[], every: number, first = 0): readonly T[] =>
  isWhole ? all : all.filter((_, at) => at % every === first % every)

/** Checks of every area, about a tenth of all: those of what is refused. */
export const fewOfEachArea = '*/errors*/*'
