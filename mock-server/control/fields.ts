/** Reads the fields of a request to the control listener. */

export type Body = Readonly<Record<string, unknown>>

/** Thrown for an invalid request. The answer has its status and its message. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest'
  readonly status: number
  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200)

export interface Bounds {
  readonly atMost: number
  readonly whole?: boolean
}

export function numberIn(body: Body, name: string, { atMost, whole = false }: Bounds): number {
  const value = body[name]
  if (typeof value === 'number' && value >= 0 && value <= atMost && (!whole || Number.isInteger(value))) return value
  throw new InvalidRequest(`${name} must be a ${whole ? 'whole ' : ''}number from 0 to ${atMost}; saw ${shown(value)}`)
}

export function namesIn(body: Body, name: string): readonly string[] {
  const value = body[name]
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new InvalidRequest(`${name} must be a list of strings; saw ${shown(value)}`)
}

export function assertFields(body: Body, known: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const words = known.length === 0 ? 'no fields are expected' : `expected ${known.join(', ')}`
  throw new InvalidRequest(`unknown field ${shown(unknown)}; ${words}`)
}

export function parseBody(text: string): Body {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body
  } catch {}
  throw new InvalidRequest('the body must be a JSON object')
}
