/** In which form a target takes lists. The documents often say "list" and leave the encoding open, so a target that refuses
 * JSON arrays and takes comma-separated strings is right (readings of the documents, 57). What was seen is remembered by
 * endpoint and field, and from then on every request has the form that the target takes. */
import { isAt, type Sent } from '../faults/site.ts'
import { isObject, isSuccess, type Json, type JsonObject, type ListSite, type Reply } from '../vocabulary/index.ts'
import { jsonOf } from '../wire/reply.ts'

type Form = 'array' | 'string'

/** The same body with some lists in the other form. */
export interface Rewritten {
  readonly body: string
  readonly fields: readonly string[]
}

interface Body {
  readonly site: ListSite
  readonly json: JsonObject
  /** The lists that are arrays and could be strings. */
  readonly arrays: readonly string[]
}

/** Statuses that say nothing about the body: who asks, what is not served, and what is in the way (reading 52). */
const besideTheBody: ReadonlySet<number> = new Set([401, 403, 404, 405, 429, 502, 503, 504])

/** Tells whether the form of a list may be the reason of a refusal. */
export const mayBeForm = (reply: Reply | undefined): boolean =>
  reply !== undefined && !isSuccess(reply) && reply.status >= 400 && !besideTheBody.has(reply.status)

/** Each list is tried alone first: what takes one list as a string may take another as an array only. */
const mostTriedAlone = 4

export class ListForms {
  readonly #sites: readonly ListSite[]
  readonly #seen = new Map<string, Form>()

  constructor(sites: readonly ListSite[]) {
    this.#sites = sites
  }

  /** The body in the forms that are known to be taken. `deciding`: the requirements that the check decides. */
  written(sent: Sent, body: string, deciding: readonly string[]): string {
    const read = this.#read(sent, body, deciding)
    if (!read) return body
    const strings = read.arrays.filter((field) => this.#form(read.site, field) === 'string')
    return strings.length === 0 ? body : asStrings(read.json, strings)
  }

  /** Returns what else can be sent where this body was refused: lists of unknown form as strings. */
  others(sent: Sent, body: string, deciding: readonly string[]): readonly Rewritten[] {
    const read = this.#read(sent, body, deciding)
    if (!read) return []
    const open = read.arrays.filter((field) => this.#form(read.site, field) === undefined)
    const alone = open.length > 1 && open.length <= mostTriedAlone ? open.map((field) => [field]) : []
    const together = open.length > 0 ? [open] : []
    return [...alone, ...together].map((fields) => ({ body: asStrings(read.json, fields), fields }))
  }

  /** Remembers that a body was taken, in which the lists `strings` were rewritten. */
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
    // Engines have paths in common, below mounts whose names do not tell them apart: the fields do.
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
