/** Tests that take a sample in `npm test`, and everything if `ASSAY_TRIALS` is set, as `npm run prove` does. */

export const isWhole = process.env.ASSAY_TRIALS !== undefined

/** Returns one of `every` items, beginning with the one at `first`, or all of them. */
export const sampled = <T>(all: readonly T[], every: number, first = 0): readonly T[] =>
  isWhole ? all : all.filter((_, at) => at % every === first % every)

/** Some checks of every area: those of what is refused because something is missing. */
export const fewOfEachArea = '*/errors*/*-without-*'
