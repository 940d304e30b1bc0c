/** Recognises spellings of requests on the wire, and mistakes them for something else. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type Spelling, type WireFault } from '../vocabulary/index.ts'
import type { WireRequest } from '../wire/client.ts'
import { jsonOf } from '../wire/reply.ts'

type Request = Pick<WireRequest, 'method' | 'path' | 'body'>

interface Spelled {
  is(request: Request, field: string, fault: WireFault): boolean
  /** Returns the request as a server takes it that does not know the spelling, or undefined if it does nothing then. */
  mistaken?<Sent extends Request>(request: Sent, field: string): Sent | undefined
}

function fieldOf({ body }: Request, field: string): Json | undefined {
  const json = jsonOf(body ?? '')
  return isObject(json) ? json[field] : undefined
}

const withField = <Sent extends Request>(request: Sent, field: string, value: Json): Sent => ({
  ...request,
  body: JSON.stringify({ ...(jsonOf(request.body ?? '') as object), [field]: value }),
})

/** Makes a spelling of a field that a pattern recognises. */
const ofText = (pattern: RegExp, mistake: (text: string) => string): Required<Spelled> => ({
  is: (request, field) => pattern.test(String(fieldOf(request, field) ?? '')),
  mistaken: (request, field) => withField(request, field, mistake(String(fieldOf(request, field)))),
})

const smallerUnit = { m: 's', s: 's' } as const

const spellings: Readonly<Record<Spelling, Spelled>> = {
  'no-body': {
    is: ({ method, body }) => method === 'POST' && body === undefined,
    mistaken: () => undefined,
  },
  blanks: ofText(/, /, (text) => text.replace(/, .*$/s, '')),
  'other-form': {
    is: (request, field) =>
      /,\S/.test(String(typeof fieldOf(request, field) === 'string' ? fieldOf(request, field) : '')),
    mistaken: (request, field) => withField(request, field, String(fieldOf(request, field)).replace(/,.*$/s, '')),
  },
  'written-default': {
    is: (request, _, { values = {} }) =>
      Object.entries(values).some(([name, value]) => isDeepStrictEqual(fieldOf(request, name), value)),
  },
  duration: ofText(/^\d{2,}[ms]$/, (text) =>
    text.replace(/[ms]$/, (unit) => smallerUnit[unit as keyof typeof smallerUnit]).replace(/^(\d+)\d(?=s$)/, '$1'),
  ),
  serial: { is: (request, field) => String(fieldOf(request, field)).includes('-') },
  base64: ofText(/^[A-Za-z0-9+/]{16,}=*$/, (text) => Buffer.from(text).toString('base64')),
  'pem-space': ofText(/^\s*\n|\n\s*\n/, (text) => text.replace(/(^|\n)\s*\n.*$/s, '')),
  'pem-crlf': { is: (request, field) => String(fieldOf(request, field)).includes('\r\n') },
  'escaped-name': {
    is: ({ path }) => /%(?:3\d|[46][1-9a-f]|[57][0-9a])/i.test(path),
    mistaken: (request) => ({ ...request, path: request.path.replaceAll('%', '%25') }),
  },
}

export const isSpelled = (request: Request, fault: WireFault): boolean =>
  spellings[fault.value as Spelling].is(request, fault.field ?? '', fault)

export const mistaken = <Sent extends Request>(request: Sent, { field = '', value }: WireFault): Sent | undefined =>
  spellings[value as Spelling].mistaken?.(request, field)

/** Returns whether a fault shows only if requests are spelled otherwise. */
export const isOfSpelling = ({ operator }: WireFault): boolean => operator.startsWith('spelling-')
