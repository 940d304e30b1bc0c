/** Makes the entries of the list from checks and from requirements. */
import type { PageCheck, PageRequirement } from '../page-data.ts'
import { checkDetail } from './check-detail.ts'
import type { Page } from './page.ts'
import { requirementDetail } from './requirement-detail.ts'
import { matchesCheck, matchesRequirement, type View } from './view.ts'

export interface Entry {
  readonly id: string
  readonly group: string
  readonly icon: string
  readonly verdictWord: string
  readonly name: string
  readonly says: string
  readonly level: string
  readonly amount: string
  detail(): HTMLElement
}

export interface Entries {
  readonly entries: readonly Entry[]
  /** The number of entries without filters. */
  readonly of: number
}

/** Returns the entries of a view. `haystacks` holds the searchable text of each check, in lower case. */
export function entriesOf(page: Page, view: View, haystacks: readonly string[]): Entries {
  const { requirements, checks } = page.data
  if (view.list === 'requirements')
    return { entries: gathered(requirementEntries(page, view)), of: requirements.length }
  return { entries: gathered(checkEntries(page, view, haystacks)), of: checks.length }
}

/** Brings the entries of each group together, because a parallel run may interleave the checks of several topics. */
const gathered = (entries: readonly Entry[]): readonly Entry[] =>
  [...Map.groupBy(entries, (entry) => entry.group).values()].flat()

function requirementEntries(page: Page, view: View): readonly Entry[] {
  const { data } = page
  return data.requirements.flatMap((one) => {
    const checks = one.checks.flatMap((at) => data.checks[at] ?? [])
    const haystack = `${one.id} ${one.says} ${one.place} ${one.open ?? ''}`.toLowerCase()
    return matchesRequirement(one, checks, haystack, view) ? [requirementEntry(page, one, checks.length)] : []
  })
}

function requirementEntry(page: Page, one: PageRequirement, checks: number): Entry {
  const silent = one.level === 'info' ? 'Never asserted' : 'Not in this run'
  return {
    id: one.id,
    group: `${one.area} · ${one.title}, ${one.source.section}`,
    icon: one.verdict ?? 'none',
    verdictWord: one.verdict ? page.data.words[one.verdict] : silent,
    name: one.source.row,
    says: one.says,
    level: one.level,
    amount: checks === 0 ? silent : checks === 1 ? '1 check' : `${checks} checks`,
    detail: () => requirementDetail(page, one),
  }
}

function checkEntries(page: Page, view: View, haystacks: readonly string[]): readonly Entry[] {
  const { data } = page
  const says = new Map(data.requirements.map((one) => [one.id, one.says]))
  return data.checks.flatMap((check, at) =>
    matchesCheck(check, haystacks[at] ?? '', view)
      ? [checkEntry(page, check, at, says.get(check.breaks?.[0] ?? check.requirements[0] ?? '') ?? '')]
      : [],
  )
}

function checkEntry(page: Page, check: PageCheck, at: number, says: string): Entry {
  return {
    id: check.id,
    group: check.topic,
    icon: check.verdict,
    verdictWord: page.data.words[check.verdict],
    name: check.id.startsWith(`${check.topic}/`) ? check.id.slice(check.topic.length + 1) : check.id,
    says,
    level: check.level,
    amount: durationWords(check.durationMs),
    detail: () => checkDetail(page, check, at),
  }
}

function durationWords(ms: number): string {
  if (ms === 0) return ''
  return ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`
}
