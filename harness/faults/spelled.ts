/** Recognises spellings of requests on the wire, and mistakes them for something else. */
import { isObject, type Json, type Spelling, type WireFault } from '../vocabulary/index.ts'
import type { WireRequest } from '../wire/client.ts'
import { jsonOf } from '../wire/reply.ts'

type Request = Pick<WireRequest, 'method' | 'path' | 'body'>

interface Spelled {
  is(request: Request, field: string): boolean
  /** Returns the request as a server takes it that does not know the spelling, or undefined if it does nothing then. */
  mistaken<Sent extends Request>(request: Sent, field: string): Sent | undefined
}

function fieldOf({ body }: Request, field: string): Json | undefined {
  const json = jsonOf(body ?? '')
  return isObject(json) ? json[field] : undefined
}

const withField = <Sent extends Request>(request: Sent, field: string, value: Json): Sent => ({
  ...request,
  body: JSON.stringify({ ...(jsonOf(request.body ?? '') as object), [field]: value }),
})

const spellings: Readonly<Record<Spelling, Spelled>> = {
  'no-body': {
    is: ({ method, body }) => method === 'POST' && body === undefined,
    mistaken: () => undefined,
  },
  blanks: {
    is: (request, field) => /, /.test(String(fieldOf(request, field) ?? '')),
    mistaken: (request, field) => withField(request, field, String(fieldOf(request, field)).replace(/, .*$/s, '')),
  },
  'escaped-name': {
    is: ({ path }) => /%(?:3\d|[46][1-9a-f]|[57][0-9a])/i.test(path),
    mistaken: (request) => ({ ...request, path: request.path.replaceAll('%', '%25') }),
  },
}

export const isSpelled = (request: Request, { field = '', value }: WireFault): boolean =>
  spellings[value as Spelling].is(request, field)

export const mistaken = <Sent extends Request>(request: Sent, { field = '', value }: WireFault): Sent | undefined =>
  spellings[value as Spelling].mistaken(request, field)

/** Returns whether a fault shows only if requests are spelled otherwise. */
export const isOfSpelling = ({ operator }: WireFault): boolean => operator.startsWith('spelling-')
