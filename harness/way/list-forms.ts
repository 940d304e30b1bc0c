/** Learns in which form a target accepts lists. The documents often say "list" and leave the encoding open, so a target
 * that refuses JSON arrays and accepts comma-separated strings is correct (readings of the documents, 57). The form is
 * remembered by endpoint and field, and all later requests use it. */
import { isAt, type Sent } from '../faults/site.ts'
import { isObject, isSuccess, type Json, type JsonObject, type ListSite, type Reply } from '../vocabulary/index.ts'
import { jsonOf } from '../wire/reply.ts'

type Form = 'array' | 'string'

/** A body with some lists as strings. */
export interface Rewritten {
  readonly body: string
  readonly fields: readonly string[]
}

interface Body {
  readonly site: ListSite
  readonly json: JsonObject
  /** The fields whose lists are arrays and could be sent as strings. */
  readonly arrays: readonly string[]
}

/** Statuses that are not about the body: caller, unknown path, and replies of the way (reading 52). */
const unrelatedToBody: ReadonlySet<number> = new Set([401, 403, 404, 405, 429, 502, 503, 504])

/** Returns whether the form of a list may be the reason for a refusal. */
export const mayBeForm = (reply: Reply | undefined): boolean =>
  reply !== undefined && !isSuccess(reply) && reply.status >= 400 && !unrelatedToBody.has(reply.status)

/** Up to this many lists are first tried one by one: a target may accept one list as a string and another only as an
 * array. */
const mostTriedAlone = 4

export class ListForms {
  readonly #sites: readonly ListSite[]
  readonly #seen = new Map<string, Form>()

  constructor(sites: readonly ListSite[]) {
    this.#sites = sites
  }

  /** Returns the body with its lists in the forms that the target is known to accept. `deciding`: the requirements that
   * the check decides, whose lists are left alone. */
  written(sent: Sent, body: string, deciding: readonly string[]): string {
    const read = this.#read(sent, body, deciding)
    if (!read) return body
    const strings = read.arrays.filter((field) => this.#form(read.site, field) === 'string')
    return strings.length === 0 ? body : asStrings(read.json, strings)
  }

  /** Returns the bodies to try if this one was refused: with lists of unknown form as strings. A list becomes a string in
   * all of them if another check learned, while this request was under way, that the target refuses it as an array. */
  others(sent: Sent, body: string, deciding: readonly string[]): readonly Rewritten[] {
    const read = this.#read(sent, body, deciding)
    if (!read) return []
    const open = read.arrays.filter((field) => this.#form(read.site, field) === undefined)
    const alone = open.length > 1 && open.length <= mostTriedAlone ? open.map((field) => [field]) : []
    const together = open.length > 0 ? [open] : []
    const late = read.arrays.filter((field) => this.#form(read.site, field) === 'string')
    return [...(late.length > 0 ? [[]] : []), ...alone, ...together]
      .map((tried) => [...late, ...tried])
      .map((fields) => ({ body: asStrings(read.json, fields), fields }))
  }

  /** Remembers that the target accepted a body in which the lists `strings` were strings. */
  taken(sent: Sent, body: string, strings: readonly string[] = []): void {
    const read = this.#read(sent, body, [])
    if (!read) return
    for (const field of read.arrays) this.#remember(read.site, field, 'array')
    for (const field of strings) this.#remember(read.site, field, 'string')
  }

  #read(sent: Sent, body: string, deciding: readonly string[]): Body | undefined {
    const sites = this.#sites.filter((one) => isAt(sent, one))
    const json = sites.length > 0 ? jsonOf(body) : undefined
    if (!isObject(json)) return undefined
    // Engines have equal paths below mounts of any name, so the fields of the body decide which engine it is.
    const site = sites.find((one) => Object.keys(one.lists).some((field) => Object.hasOwn(json, field)))
    if (!site) return undefined
    const arrays = Object.entries(site.lists)
      .filter(([field, rows]) => canBeString(json[field]) && !rows.some((row) => deciding.includes(row)))
      .map(([field]) => field)
    return { site, json, arrays }
  }

  #form(site: ListSite, field: string): Form | undefined {
    return this.#seen.get(keyOf(site, field))
  }

  #remember(site: ListSite, field: string, form: Form): void {
    const key = keyOf(site, field)
    if (!this.#seen.has(key)) this.#seen.set(key, form)
  }
}

const keyOf = ({ method, path }: ListSite, field: string): string => `${method} ${path} ${field}`

const canBeString = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string' && !entry.includes(','))

const asStrings = (json: JsonObject, fields: readonly string[]): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(json).map(([name, value]) => [
        name,
        fields.includes(name) && canBeString(value) ? value.join(',') : value,
      ]),
    ),
  )
