import type { Undo } from '../../safety/journal-lines.ts'
import { type Respelled, respelled } from '../../spelling/spellings.ts'
import type { AskedRequest, SpellingSite, Varied } from '../../vocabulary/index.ts'
import { isCircumstance } from '../../vocabulary/is-circumstance.ts'
import type { WireRequest } from '../../wire/client.ts'
import type { Made } from '../undo.ts'

/** `as`: who sends it, if it is not the operator. */
type Spellable = Pick<WireRequest, 'method' | 'path' | 'query' | 'body'> & { readonly as?: string }

/** A request as a check spells it, if it does not send it as it is written. */
export type Spelled = Respelled<Spellable> & {
  readonly sites: readonly (Pick<Respelled, 'words'> & { readonly site: SpellingSite })[]
}

/** Returns a path without the version that it begins with. */
const withoutPrefix = (path: string): string => path.replace(/^\/[^/]+\//, '')

/** A request that was sent, and the status of its reply if there was one. */
type Answered = AskedRequest & { readonly status?: number | undefined }

/** The requests that one check spells otherwise than they are written. */
export class SpelledRequests {
  readonly #sites: readonly SpellingSite[]
  /** Those that were sent, in order. */
  readonly sent: (Answered & { readonly site: SpellingSite; readonly words: string })[] = []
  /** The undos of what a target made under another name if it does not decode paths. */
  readonly misnamed: Undo[] = []

  constructor(varied: readonly Varied[]) {
    this.#sites = varied.filter((one): one is SpellingSite => !isCircumstance(one))
  }

  /** `isFirst`: nothing was written to the path before. */
  spelled(request: Spellable, isFirst: boolean): Spelled | undefined {
    const sites: Spelled['sites'][number][] = []
    let spelled = request
    for (const site of this.#sites) {
      const found = respelled(spelled, site, isFirst)
      if (!found) continue
      sites.push({ site, words: found.words })
      spelled = found.request
    }
    if (sites.length === 0) return undefined
    return { request: spelled, sites, words: sites.map(({ words }) => words).join(', and ') }
  }

  note({ sites, request }: Spelled, asked: Answered, made: Made | undefined): void {
    this.sent.push(...sites.map((one) => ({ ...asked, ...one })))
    const undo = made?.undo
    if (undo && asked.asked.endsWith(` ${undo.path}`))
      this.misnamed.push({ ...undo, path: withoutPrefix(request.path) })
  }
}
