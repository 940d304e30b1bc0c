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

/** What the replies of one server have in one field. */
interface FieldStatistics {
  readonly values: Set<string>
  /** Replies with this field. */
  count: number
  /** Those of them in which the server generated the value. */
  madeUp: number
}

/** Returns a function that tells whether a field need not be equal on two servers. That is so if the values on one
 * server are mostly generated, differ in nearly every reply, or come from a counter. */
function incidentalFields(
  ...all: readonly ReadonlyMap<string, CheckSteps>[]
): (request: string, field: string) => boolean {
  const seen = all.map((own) => {
    const fields = new Map<string, FieldStatistics>()
    for (const { request, body } of [...own.values()].flatMap(({ steps }) => steps)) {
      if (body.kind !== 'JSON') continue
      for (const [path, { values }] of body.shape) {
        const key = `${request} ${path}`
        const field = fields.get(key) ?? { values: new Set(), count: 0, madeUp: 0 }
        const text = values.join(', ')
        field.values.add(text)
        field.count += 1
        field.madeUp += isMadeUp(text) ? 1 : 0
        fields.set(key, field)
      }
    }
    return fields
  })
  return (request, field) =>
    seen.some((fields) => {
      const { values, count, madeUp } = fields.get(`${request} ${field}`) ?? { values: new Set(), count: 0, madeUp: 0 }
      const isCounter = values.size >= 20 && [...values].every((value) => /^\d+$/.test(value))
      return isCounter || (count >= 4 && (values.size >= count * 0.8 || madeUp >= count * 0.5))
    })
}
