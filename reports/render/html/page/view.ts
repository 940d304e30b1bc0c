import type { Area, Kind, Level } from '../../../../harness/vocabulary/index.ts'
import type { PageCheck, PageRequirement } from '../page-data.ts'

/** What the page shows. The URL hash contains it, so that a view can be shared. */
export interface View {
  readonly list: 'checks' | 'requirements'
  readonly verdict: readonly string[]
  readonly area: Area | ''
  readonly kind: Kind | ''
  readonly level: Level | ''
  readonly blocker: string
  /** Apply to requirements only: what became of it, the section that states it, and the request that it is about. */
  readonly coverage: string
  readonly section: string
  readonly request: string
  readonly text: string
  /** The id of the open check or requirement. */
  readonly open: string
}

/** Parses a hash such as `#area=pki&verdict=fail,warn&open=pki/errors/x`. Unknown names are ignored. */
export function readHash(hash: string): View {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const word = (name: string): string => given.get(name) ?? ''
  return {
    list: word('list') === 'requirements' ? 'requirements' : 'checks',
    verdict: word('verdict').split(',').filter(Boolean),
    area: word('area') as View['area'],
    kind: word('kind') as View['kind'],
    level: word('level') as View['level'],
    blocker: word('blocker'),
    coverage: word('coverage'),
    section: word('section'),
    request: word('request'),
    text: word('text'),
    open: word('open'),
  }
}

export function writeHash(view: View): string {
  const parts: string[] = []
  const put = (name: string, value: string): void => {
    // Slashes and commas are legal in a fragment and stay readable.
    if (value) parts.push(`${name}=${encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%2C', ',')}`)
  }
  if (view.list !== 'checks') put('list', view.list)
  put('verdict', view.verdict.join(','))
  put('area', view.area)
  put('kind', view.kind)
  put('level', view.level)
  put('blocker', view.blocker)
  put('coverage', view.coverage)
  put('section', view.section)
  put('request', view.request)
  put('text', view.text)
  put('open', view.open)
  return `#${parts.join('&')}`
}

/** Returns whether the filters of the view match a check. `haystack` is its searchable text in lower case. */
export function matchesCheck(check: PageCheck, haystack: string, view: View): boolean {
  if (view.verdict.length > 0 && !view.verdict.includes(check.verdict)) return false
  if (view.area && check.area !== view.area) return false
  if (view.kind && check.kind !== view.kind) return false
  if (view.level && check.level !== view.level) return false
  if (view.blocker && check.blocker?.kind !== view.blocker) return false
  return view.text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word))
}

/** Returns whether the filters of the view match a requirement. Kind and obstacle are properties of checks, so at least
 * one of its checks must match them. */
export function matchesRequirement(
  requirement: PageRequirement,
  checks: readonly PageCheck[],
  haystack: string,
  view: View,
): boolean {
  if (view.verdict.length > 0 && !view.verdict.includes(requirement.verdict ?? '')) return false
  const { area, fate, level, requests = [], source } = requirement
  const equal = [
    [view.area, area],
    [view.coverage, fate],
    [view.section, source.section],
    [view.level, level],
  ]
  if (equal.some(([wanted, own]) => wanted && wanted !== own)) return false
  if (view.request && !requests.includes(view.request)) return false
  if (view.kind && !checks.some((check) => check.kind === view.kind)) return false
  if (view.blocker && !checks.some((check) => check.blocker?.kind === view.blocker)) return false
  return view.text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word))
}
