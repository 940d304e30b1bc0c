/** Finds the differences between the replies of two servers to the same checks. Pure. */
import { type Drift, type DriftEntry, driftKinds, type ResultDocument } from '../vocabulary/index.ts'
import { type Difference, differencesOf } from './differences.ts'
import { foldedEntries, type Met } from './fold.ts'
import { isMadeUp } from './normalise.ts'
import { type CheckSteps, isSettling, paired, type Step, stepsOf } from './steps.ts'

/** Returns undefined if no check has comparable exchanges in both results, for instance because one was written without
 * exchanges. */
export function driftOf(first: ResultDocument, other: ResultDocument): Drift | undefined {
  const [own, others] = [stepsOf(first), stepsOf(other)]
  const both = [...own].flatMap(([id, one]) => {
    const two = others.get(id)
    return two && two.definition === one.definition ? [{ ...paired(one.steps, two.steps), id }] : []
  })
  const checks = both.filter(({ id, pairs }) => own.get(id)?.definition !== '' && pairs.length > 0).length
  if (checks === 0) return undefined
  const pairs = both.flatMap((one) => one.pairs)
  const isIncidental = incidentalFields(own, others)
  const isMeaningful = ([one, two]: readonly [Step, Step], { kind, field }: Difference): boolean =>
    (kind !== 'value' && kind !== 'order') ||
    !(isIncidental(one.request, field) || isSettling(one, field) || isSettling(two, field))
  const met = pairs.flatMap((steps) =>
    differencesOf(...steps)
      .filter((difference) => isMeaningful(steps, difference))
      .map((difference): Met => ({ ...difference, steps })),
  )
  const compared = Map.groupBy(pairs, ([{ request }]) => request)
  return {
    checks,
    replies: pairs.length,
    unpaired: both.reduce((sum, { unpaired }) => sum + unpaired, 0),
    entries: foldedEntries(met, (request) => compared.get(request)?.length ?? 0).toSorted(byWeight),
  }
}

const repliesOf = ({ requests }: DriftEntry): number => requests.reduce((sum, { replies }) => sum + replies, 0)

const byWeight = (one: DriftEntry, two: DriftEntry): number =>
  driftKinds.indexOf(one.kind) - driftKinds.indexOf(two.kind) || repliesOf(two) - repliesOf(one)

/** Returns a function that tells whether a field need not be equal on two servers. That is so if the values on one
 * server are mostly generated, differ in nearly every reply, or come from a counter. */
function incidentalFields(
  ...all: readonly ReadonlyMap<string, CheckSteps>[]
): (request: string, field: string) => boolean {
  const fields = all.flatMap((own) => [...Map.groupBy(fieldsSeen(own), ({ key }) => key)])
  const incidental = new Set(
    fields.filter(([, seen]) => isIncidental(seen.map(({ text }) => text))).map(([key]) => key),
  )
  return (request, field) => incidental.has(`${request} ${field}`)
}

const fieldsSeen = (own: ReadonlyMap<string, CheckSteps>): readonly { key: string; text: string }[] =>
  [...own.values()]
    .flatMap(({ steps }) => steps)
    .flatMap(({ request, body }) =>
      body.kind === 'JSON'
        ? [...body.shape].map(([path, { values }]) => ({ key: `${request} ${path}`, text: values.join(', ') }))
        : [],
    )

function isIncidental(texts: readonly string[]): boolean {
  const values = new Set(texts)
  const isCounter = values.size >= 20 && [...values].every((value) => /^\d+$/.test(value))
  const isGenerated = values.size >= texts.length * 0.8 || texts.filter(isMadeUp).length >= texts.length * 0.5
  return isCounter || (texts.length >= 4 && isGenerated)
}
