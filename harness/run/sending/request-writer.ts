import type { Undo, Unnamed } from '../../safety/journal-lines.ts'
import { type CheckNames, fillTemplate } from '../../safety/names.ts'
import { type Exchange, filled, type RecordedExchange, type Scope } from '../../vocabulary/index.ts'
import { headersFor } from '../../wire/ask.ts'
import type { WireRequest } from '../../wire/client.ts'
import { mainCluster } from '../clusters.ts'
import type { Session } from '../session.ts'
import { undoOf } from '../undo.ts'
import type { Callers } from './callers.ts'
import { type Twin, twinOf } from './twin.ts'

/** The check for which requests are sent. */
export interface JudgedCheck extends Scope {
  readonly phase: RecordedExchange['phase']
  readonly control: Exchange | undefined
  /** The requirements that the check decides. */
  readonly deciding: readonly string[]
  /** True if the active node of several is asked at its own address. */
  readonly isAtActive: boolean
}

export type Request = WireRequest & { readonly about: NonNullable<WireRequest['about']> }

/** Writes the exchanges of one check as requests. */
export class RequestWriter {
  readonly #session: Session
  readonly #check: JudgedCheck
  readonly #names: CheckNames
  readonly #callers: Callers

  constructor(session: Session, check: JudgedCheck, names: CheckNames, callers: Callers) {
    this.#session = session
    this.#check = check
    this.#names = names
    this.#callers = callers
  }

  /** Returns a request without its body, because the lists in a body may be sent in several forms. */
  request(exchange: Exchange, as: string, hasBody: boolean, known?: string): Request {
    const { method, once, query, headers: extra, cluster = mainCluster } = exchange
    const { dialect } = this.#session
    const { token, isOther } = this.#callers.on(cluster, as, known)
    const options = { body: hasBody, ...(extra ? { extra: this.#names.each(extra) } : {}) }
    const path = this.#names.path(exchange.path)
    return {
      ...{ method, asked: `${method} ${path}`, path: `${dialect.prefix}/${path}` },
      headers: headersFor(this.#session.client(cluster), dialect, { operator: as === 'operator', token }, options),
      ...(query ? { query: this.#names.each(query) } : {}),
      ...(once ? { once } : {}),
      ...(exchange.undo || exchange.orUndo ? { changes: true } : {}),
      ...(exchange.isExact ? { isExact: true } : {}),
      ...(this.#check.isAtActive ? { atActive: 'preferred' } : {}),
      about: { as, control: () => this.#twinOn(cluster), ...(isOther ? { isOther } : {}) },
      holder: this.#check,
    }
  }

  body(exchange: Exchange): string | undefined {
    const { body, rawBody } = exchange
    // A raw body may be malformed on purpose, so unknown names keep their braces.
    if (rawBody !== undefined) return fillTemplate(rawBody, (name) => this.#names.get(name) ?? `{${name}}`)
    if (body === undefined) return undefined
    const text = JSON.stringify(filled(body, this.#check))
    return this.#session.lists.written(this.siteOf(exchange), text, this.#check.deciding)
  }

  siteOf({ method, path, query }: Exchange) {
    const full = `${this.#session.dialect.prefix}/${this.#names.path(path)}`
    return { method, path: full, ...(query ? { query: this.#names.each(query) } : {}) }
  }

  undoOf(exchange: Exchange): Undo | Unnamed | undefined {
    return undoOf(exchange, this.#parts, this.#names.isKnown)
  }

  /** Returns the control as it would be sent to this cluster by its caller. */
  #twinOn(cluster: string): Twin | undefined {
    const headers = ({ as = 'operator', headers: extra = {} }: Exchange, body: string | undefined) => {
      if (!this.#callers.knows(as) || !this.#names.isKnown(JSON.stringify(extra))) return undefined
      const who = { operator: as === 'operator', token: this.#callers.tokenOf(as, cluster) }
      const options = { body: body !== undefined, extra: this.#names.each(extra) }
      return headersFor(this.#session.client(cluster), this.#session.dialect, who, options)
    }
    const parts = { ...this.#parts, headers }
    return twinOf(this.#check.control, parts, this.#session.dialect.prefix, this.#names.isKnown)
  }

  readonly #parts = {
    path: (exchange: Exchange) => this.#names.path(exchange.path),
    query: (exchange: Exchange) => exchange.query && this.#names.each(exchange.query),
    body: (exchange: Exchange) => this.body(exchange),
    url: (cluster: string) => this.#session.client(cluster).endpoint.url,
  }
}
