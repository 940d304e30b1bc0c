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

const linesOf = (request: Request, field: string): readonly string[] =>
  String(fieldOf(request, field) ?? '').split('\n')
/** Returns the index of the first empty line before the last line break. */
const emptyLineIn = (lines: readonly string[]): number => lines.slice(0, -1).findIndex((line) => line.trim() === '')

/** Returns the text up to a separator. */
const before = (separator: string) => (text: string) => text.slice(0, text.indexOf(separator))

function isListAsText(request: Request, field: string): boolean {
  const text = fieldOf(request, field)
  return typeof text === 'string' && text.includes(',')
}

/** Returns whether a duration is in minutes or seconds although a greater unit would do. */
const isOfSmallUnit = (text: string): boolean => /^[1-9]\d*[ms]$/.test(text) && Number.parseInt(text, 10) % 60 === 0

const spellings: Readonly<Record<Exclude<Spelling, 'no-token'>, Spelled>> = {
  'no-body': { is: ({ method, body }) => method === 'POST' && body === undefined, mistaken: () => undefined },
  blanks: ofText(/, /, before(', ')),
  'other-form': { ...ofText(/,/, before(',')), is: isListAsText },
  'written-default': {
    is: (request, _, { values = {} }) =>
      Object.entries(values).some(([name, value]) => isDeepStrictEqual(fieldOf(request, name), value)),
  },
  duration: {
    ...ofText(/^/, (text) => `${Math.trunc(Number.parseInt(text, 10) / 10)}s`),
    is: (request, field) => isOfSmallUnit(String(fieldOf(request, field) ?? '')),
  },
  serial: { is: (request, field) => String(fieldOf(request, field)).includes('-') },
  base64: ofText(/^[A-Za-z0-9+/]{16,}=*$/, (text) => Buffer.from(text).toString('base64')),
  'pem-space': {
    is: (request, field) => emptyLineIn(linesOf(request, field)) >= 0,
    mistaken(request, field) {
      const lines = linesOf(request, field)
      return withField(request, field, lines.slice(0, emptyLineIn(lines)).join('\n'))
    },
  },
  'pem-crlf': { is: (request, field) => String(fieldOf(request, field)).includes('\r\n') },
  'pem-text': { is: (request, field) => /^(?!-----BEGIN )[^\n]+\n-----BEGIN /.test(String(fieldOf(request, field))) },
  'pem-pkcs8': { is: (request, field) => String(fieldOf(request, field)).includes('-----BEGIN PRIVATE KEY-----') },
  'escaped-name': {
    is: ({ path }) => /%(?:3\d|[46][1-9a-f]|[57][0-9a])/i.test(path),
    mistaken: (request) => ({ ...request, path: request.path.replaceAll('%', '%25') }),
  },
}

export const isSpelled = (request: Request, fault: WireFault): boolean =>
  spellings[fault.value as keyof typeof spellings].is(request, fault.field ?? '', fault)

export const mistaken = <Sent extends Request>(request: Sent, { field = '', value }: WireFault): Sent | undefined =>
  spellings[value as keyof typeof spellings].mistaken?.(request, field)

/** Returns whether a fault shows only if requests are spelled otherwise. */
export const isOfSpelling = ({ operator }: WireFault): boolean => operator.startsWith('spelling-')
