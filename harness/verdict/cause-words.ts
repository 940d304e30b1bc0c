/** Says in one clause what was seen of a cause. */
import { withoutNames } from '../safety/path-pattern.ts'
import type { FoundMismatch } from '../vocabulary/index.ts'
import type { Acting } from './acting.ts'

/** A mismatch with the request that acts. Both are absent if the difference was not recorded. */
export interface Sight {
  readonly mismatch?: FoundMismatch
  readonly acting?: Acting
}

/** Returns a clause such as "`DELETE x` answers 500", or "after `DELETE x`, `GET x` answers 200 and not 404". */
export function saysOf(sights: readonly Sight[]): string {
  const mismatches = sights.flatMap(({ mismatch }) => mismatch ?? [])
  const acting = mostOften(sights.flatMap(({ acting }) => acting?.words ?? []))
  const [first] = mismatches
  if (!first || acting === undefined) return 'the difference was not recorded'
  const own = sights.filter((sight) => sight.acting?.words === acting)
  const looking = mostOften(own.flatMap((sight) => sight.acting?.looking.words ?? [])) ?? acting
  const shown = own.filter((sight) => sight.acting?.looking.words === looking).flatMap(({ mismatch }) => mismatch ?? [])
  const after = looking === acting ? '' : `after \`${acting}\`, `
  return `${after}\`${looking}\` ${differs(shown[0] ?? first, shown)}`
}

/** Returns the predicate of a sentence that begins with "`GET x`". */
function differs(first: FoundMismatch, all: readonly FoundMismatch[]): string {
  const { at, wanted, saw } = first
  if (at === 'status') {
    const code = mostOften(all.map((one) => statusIn(one.saw) ?? one.saw)) ?? saw
    return wanted === '2xx' ? `answers ${code}` : `answers ${code} and not ${wanted}`
  }
  if (at === 'method') return `answers ${saw}, and GET with \`?list=true\` shows the list`
  if (at === 'connection') return 'cuts the connection'
  const fields = [...new Set(all.map((one) => `\`${withoutNames(one.at)}\``))]
  const named = fields.length > mostFields ? `${fields.slice(0, mostFields).join(', ')} and others` : fields.join(', ')
  const isSame =
    all.every((one) => one.at === at && one.wanted === wanted && one.saw === saw) &&
    `${wanted}${saw}`.length <= longestValues
  return isSame
    ? `differs from the documents in ${named}: wanted ${inOneLine(wanted)}, saw ${inOneLine(saw)}`
    : `differs from the documents in ${named}`
}

const mostFields = 3
const longestValues = 120

const statusIn = (saw: string): string | undefined => /^\d{3}(?!\d)/.exec(saw)?.[0]

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

export function mostOften(texts: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(texts, (text) => text).values()]
  return groups.toSorted((one, other) => other.length - one.length)[0]?.[0]
}
