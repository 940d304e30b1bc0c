/** The connection of a secondary to the cluster address of its primary. It is opened again when it breaks. */
import type { Services } from '../../../kernel/services.ts'
import { longestSilence, type Proof, tlsOf } from './peer-client.ts'
import type { farewell, Greeting, Increment, Numbered } from './secondary-sessions.ts'

export interface LinkOptions {
  /** Returns addresses as `host:port`, which are tried in turn. */
  readonly addresses: () => readonly string[]
  readonly path: string
  /** Called for each attempt. Returns the body of the request. */
  readonly introduction: () => object
  readonly proof: () => Proof
  readonly services: Pick<Services, 'clock' | 'network'>
  onLine(line: Increment): void
  /** The delay before the first attempt, in milliseconds. */
  readonly delay: number
}

export interface Link {
  readonly connected: boolean
  /** True if the primary ended the stream with a farewell. */
  readonly parted: boolean
  /** When the last line arrived from the primary, in milliseconds since the epoch; 0 if none has. */
  readonly lastSign: number
  stop(): void
}

/** The maximum number of characters in a line. The first line with data contains all data of the primary. */
const longestLine = 2 ** 28

/** The first and the longest pause between attempts, in milliseconds. */
const pauses = { first: 10, longest: 250 } as const

export function createLink(options: LinkOptions): Link {
  const { addresses, services, onLine, delay } = options
  const { clock, network } = services
  let stopped = false
  let connected = false
  let parted = false
  let attempts = 0
  let lastSign = 0
  let pause: number = pauses.first
  let cancel: () => void = () => {}
  /** The network's number of the attempt to connect, until the primary has greeted this cluster; after a farewell, its
   * number of the end of the connection. */
  let underWay = 0
  let hangUp: () => void = () => {}
  /** Functions that end the watching of cuts. */
  let unwatch: (() => void)[] = []

  const later = (ms: number): void => {
    if (!stopped) cancel = clock.at(clock.now() + ms, () => void connect())
  }

  async function connect(): Promise<void> {
    underWay = network.depart()
    await stream().catch(() => {})
    connected = false
    later(pause)
    network.arrive(underWay)
    pause = Math.min(pause * 2, pauses.longest)
  }

  async function take(text: string): Promise<void> {
    const line = JSON.parse(text) as Partial<Increment & Greeting & typeof farewell & Numbered>
    lastSign = clock.now()
    if (line.node !== undefined) {
      await meet(line.node)
      network.arrive(underWay)
    }
    if (line.farewell) {
      parted = true
      underWay = network.depart()
    }
    receive(line)
    if (line.number !== undefined) network.arrive(line.number)
  }

  function receive(line: Partial<Increment>): void {
    if (line.parts === undefined || stopped) return
    onLine(line as Increment)
    connected = true
    parted = false
    pause = pauses.first
  }

  /** Applies cuts and delays to the server behind a forwarding address, which is known only from its greeting. */
  async function meet(node: string): Promise<void> {
    await network.pass(node)
    unwatch.push(network.onCut(node, () => hangUp()))
  }

  async function stream(): Promise<void> {
    const known = addresses()
    const address = known[attempts++ % known.length] ?? ''
    await network.pass(address)
    if (stopped) return
    try {
      const stream = openStream(address, options, async (line) => {
        await network.pass(address)
        await take(line)
      })
      hangUp = stream.hangUp
      unwatch = [network.onCut(address, () => hangUp())]
      await stream.ended
    } finally {
      for (const end of unwatch) end()
      hangUp = () => {}
    }
  }

  later(delay)
  return {
    get connected() {
      return connected
    },
    get parted() {
      return parted
    },
    get lastSign() {
      return lastSign
    },
    stop() {
      stopped = true
      connected = false
      cancel()
      hangUp()
    },
  }
}

interface Stream {
  /** Rejects if the stream breaks. */
  readonly ended: Promise<void>
  hangUp(): void
}

/** Asks a primary for its stream, and takes it line by line. */
function openStream(
  address: string,
  { path, introduction, proof }: LinkOptions,
  take: (line: string) => Promise<void>,
): Stream {
  const bytes = Buffer.from(JSON.stringify(introduction()))
  const [host, port] = hostAndPort(address)
  const sent = process
    .getBuiltinModule('node:https')
    .request({
      ...{ host, port, path, method: 'POST', agent: false, timeout: longestSilence, ...tlsOf(proof()) },
      headers: { 'content-type': 'application/json', 'content-length': bytes.length },
    })
  const ended = new Promise<void>((resolve, reject) => {
    sent.on('timeout', () => sent.destroy(new Error('silence')))
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.on('error', reject)
      response.on('close', resolve)
      if (response.statusCode !== 200) response.resume()
      else readLines(response, take).catch((error: Error) => sent.destroy(error))
    })
  })
  sent.end(bytes)
  return { ended, hangUp: () => sent.destroy(new Error('hung up')) }
}

function hostAndPort(address: string): readonly [string, number] {
  const url = URL.parse(`https://${address}`)
  return [url?.hostname.replace(/^\[|\]$/g, '') ?? '', Number(url?.port) || 443]
}

async function readLines(response: AsyncIterable<Buffer>, take: (line: string) => Promise<void>): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw new Error(`a line over ${longestLine} characters`)
    for (const line of lines) await take(line)
  }
}
