/** Writes the list of accepted findings that a result would need, for the operator to complete. */
import { Document, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import type { CheckResult, ResultDocument } from '../vocabulary/index.ts'
import { observedOf } from './observed.ts'

/** After this many days an entry expires: long enough to get a fault fixed, short enough to be reviewed. */
const days = 90

/** Returns the list as YAML. Reason and owner stay empty, and the list is invalid until the operator fills them in. */
export function skeletonOf(document: ResultDocument, today: Date): { readonly text: string; readonly entries: number } {
  const until = new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  const open = document.checks.filter(
    ({ verdict, level }) => verdict === 'fail' || (verdict === 'not-verified' && level === 'must'),
  )
  const groups = Map.groupBy(
    open.filter((check) => isLasting(check)),
    (check) => `${check.verdict} ${observedOf(check)}`,
  )
  const rows = [...groups.values()].flatMap((checks) => {
    const [first] = checks
    if (!first) return []
    const ids = checks.map(({ id }) => id)
    return [
      {
        row: {
          check: ids.length === 1 ? ids[0] : ids,
          verdict: first.verdict,
          reason: '',
          owner: '',
          until,
          observed: observedOf(first),
        },
        seen: seenIn(first),
      },
    ]
  })
  const yaml = new Document(rows.map(({ row }) => row))
  yaml.commentBefore = ` Accepted findings on ${oneLine(document.target.name)}, from run ${document.run.id}, for "assay run --accept".
 Fill in each reason, and the owner (or replace it by "issue"); remove what you do not accept.`
  const items = (yaml.contents as unknown as YAMLSeq<YAMLMap>).items
  for (const [index, item] of items.entries()) {
    const comment = rows[index]?.seen ?? ''
    const observed = item.items.find((pair) => String(pair.key) === 'observed') as Pair<unknown, Scalar> | undefined
    if (observed?.value) observed.value.comment = ` ${comment}`
    item.spaceBefore = index > 0
  }
  return { text: yaml.toString({ lineWidth: 0 }), entries: rows.length }
}

/** A check that the run did not reach before it was stopped says nothing about the target. */
const isLasting = ({ blocker }: CheckResult): boolean => blocker?.kind !== 'interrupted' && blocker?.kind !== 'time'

function seenIn({ mismatches, blocker }: CheckResult): string {
  const [first] = mismatches
  const text = first ? `${first.asked}: ${first.at} wanted ${first.wanted}, saw ${first.saw}` : (blocker?.reason ?? '')
  return oneLine(text)
}

/** Removes all line breaks: a YAML comment ends with its line, so a line break in a text from the target could
 * inject an entry. */
const oneLine = (text: string): string => {
  const line = text.replace(/[\s\p{C}\u2028\u2029]+/gu, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
