/** The connections of secondaries to their primary. Each is one response stream, with a line for each change. */
import type { ServerResponse } from 'node:http'
import type { Services } from '../../../kernel/services.ts'
import type { Parts } from '../data/data-parts.ts'

/** A line with changed data. */
export interface Increment {
  readonly writes: number
  /** True for the first line with data: mounts and namespaces that it does not contain do not exist. */
  readonly whole: boolean
  readonly parts: Readonly<Record<string, unknown>>
  readonly gone: readonly string[]
  /** The paths of the mounts that the filter does not let through. */
  readonly filtered: readonly string[]
  readonly filteredNamespaces: readonly string[]
  readonly root: string
}

/** The first line of a stream, which names the responding server. */
export interface Greeting {
  readonly node: string
}

/** The network counts a line with this number as under way until the secondary has received it. */
export interface Numbered {
  readonly number: number
}

/** The last line: the primary serves no more secondaries, or no longer this one. */
export const farewell = { farewell: true } as const

export interface Outgoing {
  readonly parts: Parts
  readonly filtered: readonly string[]
  readonly filteredNamespaces: readonly string[]
  readonly writes: number
  readonly root: string
}

interface Session {
  readonly response: ServerResponse
  readonly sent: Map<string, string>
  first: boolean
  /** The number of the last line. A secondary that has received it has received all lines. */
  number: number
}

export interface Sessions {
  open(id: string, response: ServerResponse, greeting: Greeting): void
  isOpen(id: string): boolean
  end(id: string): void
  /** Sends outstanding changes, and ends all streams. */
  endAll(): void
  /** Breaks all streams immediately, without a farewell. */
  breakAll(): void
  /** Must be called after a change. The lines are sent after the current request. */
  announce(): void
}

/** The interval of heartbeats, in milliseconds. */
export const heartbeat = 1000

export function createSessions(
  outgoingFor: (id: string) => Outgoing | undefined,
  { clock, network, variation }: Pick<Services, 'clock' | 'network' | 'variation'>,
): Sessions {
  const open = new Map<string, Session>()
  let announced = false
  let stopBeating: () => void = () => {}

  function line({ parts, ...facts }: Outgoing, session: Session): string {
    const changed = [...parts].filter(([name, json]) => session.sent.get(name) !== json)
    const gone = [...session.sent.keys()].filter((name) => !parts.has(name))
    for (const [name, json] of changed) session.sent.set(name, json)
    for (const name of gone) session.sent.delete(name)
    const whole = session.first
    session.first = false
    const body = changed.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')
    const rest = JSON.stringify({ ...facts, whole, gone, ...numbered(session) })
    return `{"parts":{${body}},${rest.slice(1)}\n`
  }

  function numbered(session: Session): Numbered {
    network.arrive(session.number)
    session.number = network.depart()
    return { number: session.number }
  }

  function tell(): void {
    announced = false
    for (const [id, session] of open) {
      const outgoing = outgoingFor(id)
      if (outgoing) session.response.write(line(outgoing, session))
      else end(id)
    }
  }

  function beat(): void {
    stopBeating()
    if (open.size === 0) return
    stopBeating = clock.at(clock.now() + heartbeat, () => {
      for (const { response } of open.values()) response.write('{}\n')
      // If the clock is moved far ahead, this sends one heartbeat and not one for each second.
      setImmediate(beat)
    })
  }

  function announce(): void {
    if (announced || open.size === 0) return
    announced = true
    const { syncLatency } = variation()
    if (syncLatency > 0) clock.at(clock.now() + syncLatency, tell)
    else setImmediate(tell)
  }

  function end(id: string): void {
    const session = open.get(id)
    open.delete(id)
    if (session) session.response.end(`${JSON.stringify({ ...farewell, ...numbered(session) })}\n`)
    beat()
  }

  return {
    open(id, response, greeting) {
      end(id)
      const session: Session = { response, sent: new Map(), first: true, number: 0 }
      open.set(id, session)
      response.on('close', () => {
        if (open.get(id) === session) open.delete(id)
        network.arrive(session.number)
      })
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write(`${JSON.stringify(greeting)}\n`)
      beat()
      announce()
    },
    isOpen: (id) => open.has(id),
    end,
    endAll() {
      if (open.size > 0) tell()
      for (const id of [...open.keys()]) end(id)
    },
    breakAll() {
      announced = false
      for (const [id, { response }] of open) {
        open.delete(id)
        response.destroy()
      }
      beat()
    },
    announce,
  }
}
