/** The functions of the page share this kit. They are written into the report as text, so each may use only its
 * parameters, this kit and what every browser has: no import of a value, no constant of its module. */
import type {
  Area,
  CheckResult,
  Kind,
  Level,
  RecordedExchange,
  Requirement,
  Verdict,
} from '../../../harness/vocabulary/index.ts'
import type { Browser, PageElement, PageNode } from './browser.ts'
import type { PageParts } from './parts.ts'

export interface PageCheck extends Omit<CheckResult, 'exchanges'> {
  /** This many exchanges are in the packed part. */
  readonly exchanges: number
}

export interface PageRequirement extends Requirement {
  /** The title of its document. */
  readonly title: string
  readonly place: string
  readonly verdict?: Verdict
  /** Indices into the checks. */
  readonly checks: readonly number[]
}

/** The part of the document that is read at once; the exchanges are packed apart and unpacked when first asked for. */
export interface PageData {
  readonly target: string
  readonly insecure: boolean
  readonly words: Readonly<Record<Verdict, string>>
  readonly blockers: Readonly<Record<string, string>>
  readonly requirements: readonly PageRequirement[]
  readonly checks: readonly PageCheck[]
}

export interface PackedExchanges {
  readonly probe: readonly RecordedExchange[]
  readonly checks: readonly (readonly RecordedExchange[])[]
}

/** The view is what is shown; the URL hash holds it, so that a view can be shared. */
export interface View {
  readonly list: 'checks' | 'requirements'
  readonly verdict: readonly string[]
  readonly area: Area | ''
  readonly kind: Kind | ''
  readonly level: Level | ''
  readonly blocker: string
  readonly text: string
  /** Id of the check or requirement that is open. */
  readonly open: string
}

export type Child = PageNode | string | false | undefined
export type Properties = Readonly<Record<string, string | boolean | undefined | (() => void)>>

export interface Kit extends PageParts {
  readonly browser: Browser
  readonly data: PageData
  /** An element; a property that is a function listens to a click. Text is only ever set as text. */
  el(tag: string, properties?: Properties, ...children: Child[]): PageElement
  icon(name: string): PageElement
  /** Unpacked once; rejects in a browser that cannot. */
  exchanges(): Promise<PackedExchanges>
  view: View
  /** Changes parts of the view and the hash with it. */
  go(change: Partial<View>): void
}
